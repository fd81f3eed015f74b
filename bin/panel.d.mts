/**
 * Builds the panel unless panel/dist was built from exactly these sources. @returns whether there is a panel to serve
 */
export function buildPanel(): Promise<boolean>
