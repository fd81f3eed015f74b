// The types of attribute values that a definition can require. The panel imports this file at run time, so it imports
// nothing.

export const ATTRIBUTE_TYPES = ['text', 'number', 'boolean', 'list'] as const
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number]

/** Decimal separators that suppliers may use in numbers. */
export const DECIMAL_SIGNS = ['.', ','] as const
