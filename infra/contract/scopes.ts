/** Permissions of a key (spec, "Permissions"). */
export const scopes = ['predictions', 'models:read', 'usage:read'] as const;
