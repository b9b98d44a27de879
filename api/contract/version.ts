/** Version of the interface description (spec, "Versioning"). */
export const version = '0.1.0';
