import Type from 'typebox'

/** One of several strings, as their union type. */
export const OneOf = <const N extends readonly string[]>(names: N, options: Type.TSchemaOptions) =>
  Type.Unsafe<N[number]>(
    Type.Union(
      names.map((name) => Type.Literal(name)),
      options,
    ),
  )
