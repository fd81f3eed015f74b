import type { Resource } from '../../api/resources.ts'
import type { Column } from '../../components/list.tsx'
import type { ResourceSpec } from '../../resources/field.ts'
import { nameColumn, numberColumn, plainColumn } from '../../resources/columns.tsx'
import { byLocale, byValue, text, whole } from '../../resources/inputs.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'

const SPEC: ResourceSpec<'attributes'> = {
  name: 'attributes',
  key: 'key',
  required: ['key'],
  fixed: ['key'],
  fields: {
    key: text({ placeholder: 'weight' }),
    labels: byLocale(),
    unit: text({ isNullable: true, placeholder: 'kg' }),
    units: byLocale(),
    position: whole(),
    options: byValue(),
  },
  initial: { key: '', unit: null, units: {}, position: 0, labels: {}, options: {} },
  titleOf: (attribute) => attribute.key,
}

/** How attributes are called and shown: labels, units, order and the values of lists. */
export function AttributesPage() {
  const words = useResourceWords('attributes')
  const labels = ({ labels: texts }: Resource<'attributes'>) =>
    Object.entries(texts ?? {})
      .map(([locale, label]) => `${locale}: ${label}`)
      .join(' · ')
  const columns: Column<Resource<'attributes'>>[] = [
    nameColumn('key', words.label('key'), (attribute) => attribute.key),
    plainColumn('labels', words.label('labels'), '38%', labels),
    plainColumn('unit', words.label('unit'), '10%', (attribute) => attribute.unit ?? ''),
    numberColumn('options', words.of('values'), '10%', (attribute) => Object.keys(attribute.options ?? {}).length),
    numberColumn('position', words.label('position'), '11%', (attribute) => attribute.position),
  ]
  return <ResourcePage spec={SPEC} columns={columns} phoneLine={labels} />
}
