import { describe, expect, it } from 'vitest'
import { tablesBeside } from './side-by-side.ts'

const numbered = (columns: readonly string[]) => columns.map((name, place) => `${name}@${place}`)
const beside = (...columns: string[]) => tablesBeside(columns, numbered(columns))

describe('tables side by side', () => {
  it('are found by names that repeat in the same order, with or without columns between them', () => {
    expect(beside('No', 'Name', 'Price', '#4', 'No', 'Name', 'Price')).toEqual({
      first: ['No@0', 'Name@1', 'Price@2'],
      others: [['No@4', 'Name@5', 'Price@6']],
    })
    expect(beside('#1', 'No', 'Price', 'No', 'Price', 'No', 'Price')?.others).toHaveLength(2)
  })

  it('are none where single columns repeat', () => {
    expect(beside('No', 'Name', 'Price')).toBeUndefined()
    expect(beside('No', 'Image', 'Image', 'Price')).toBeUndefined()
    expect(beside('Image', 'Image')).toBeUndefined()
    expect(beside('No', 'Name', 'No', 'Price')).toBeUndefined()
    expect(beside()).toBeUndefined()
  })
})
