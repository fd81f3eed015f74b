// Converts names of the API (store_ids) to names in the code (storeIds).

export type Camel<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : Name

/** `store_ids` as `storeIds`. */
export const camel = <Name extends string>(name: Name): Camel<Name> =>
  // the type follows from the renaming, which TypeScript cannot express
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>
