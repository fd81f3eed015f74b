/** @returns path of the bundle's program if there is one of these very sources. */
export function currentBundle(): string | undefined
/** The same, built first where it is missing and can be built. */
export function ensureBundle(): string | undefined
