/** Makes a text storable in PostgreSQL: replaces NUL and halves of surrogate pairs, which files may contain. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd')

/** JSON that PostgreSQL can store; `null` for undefined. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, each: unknown) => (typeof each === 'string' ? storable(each) : each))
