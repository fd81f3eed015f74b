import Type from 'typebox'

/** One of some texts; the union of them as a type. */
export const OneOf = <const N extends readonly string[]>(names: N, options: Type.TSchemaOptions) =>
  Type.Unsafe<N[number]>(
    Type.Union(
      names.map((name) => Type.Literal(name)),
      options,
    ),
  )
