/** Builds the panel unless panel/dist is of these very sources. @returns whether the panel is there. */
export function buildPanel(): Promise<boolean>
