/** What a key may be allowed to do (spec, "Permissions"). */
export const scopes = ['predictions', 'models:read', 'usage:read'] as const;
