/** @returns path of the bundled program, if there is a bundle of exactly these sources. */
export function currentBundle(): string | undefined
/** The same, but builds the bundle if it is missing and can be built. */
export function ensureBundle(): string | undefined
