import type { Resource } from '../../api/resources.ts'
import type { Column } from '../../components/list.tsx'
import { nameColumn, numberColumn, plainColumn, Special } from '../../resources/columns.tsx'
import type { ResourceSpec } from '../../resources/field.ts'
import { flag, lines, text } from '../../resources/inputs.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { ratesField } from './rates-field.tsx'

const SPEC: ResourceSpec<'tax-classes'> = {
  name: 'tax-classes',
  key: 'key',
  required: ['key', 'name'],
  fixed: ['key'],
  fields: {
    key: text({ isCode: true, placeholder: 'standard' }),
    name: text(),
    is_default: flag(),
    rates: ratesField(),
    codes: lines(),
  },
  initial: { key: '', name: '', is_default: false, codes: [], rates: [] },
  titleOf: (taxClass) => taxClass.name,
}

/** Tax classes: the rates of articles by country and day. */
export function TaxClassesPage() {
  const words = useResourceWords('tax-classes')
  const columns: Column<Resource<'tax-classes'>>[] = [
    nameColumn(
      'name',
      words.label('name'),
      (taxClass) => taxClass.name,
      (taxClass) => (taxClass.is_default ? <Special>{words.of('isDefault')}</Special> : null),
    ),
    plainColumn('key', words.label('key'), '20%', (taxClass) => taxClass.key),
    numberColumn('countries', words.of('countries'), '14%', countries),
  ]
  return (
    <ResourcePage
      spec={SPEC}
      columns={columns}
      phoneLine={(taxClass) => taxClass.key}
      keptBecause={(taxClass) => (taxClass.is_default ? words.of('kept') : null)}
    />
  )
}

const countries = ({ rates }: Resource<'tax-classes'>) => new Set(rates.map(({ country }) => country)).size
