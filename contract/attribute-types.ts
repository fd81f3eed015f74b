// What the values of an attribute can be, by its definition. The panel imports this file at run time: it imports nothing.

export const ATTRIBUTE_TYPES = ['text', 'number', 'boolean', 'list'] as const
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number]

export const DECIMAL_SIGNS = ['.', ','] as const
