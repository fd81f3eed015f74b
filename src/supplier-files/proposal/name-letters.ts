/** A name of a column in small letters, without anything but letters and digits: `Item_Group-ID` as `itemgroupid`. */
export const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
