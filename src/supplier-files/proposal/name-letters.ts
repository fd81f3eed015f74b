/** The letters and digits of a column name, in lower case: `itemgroupid` for `Item_Group-ID`. */
export const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
