import { useTranslation } from 'react-i18next'
import { ATTRIBUTE_TYPES, type AttributeType } from '../../../contract/attribute-types.ts'
import type { Resource } from '../../api/resources.ts'
import type { Column } from '../../components/list.tsx'
import type { ResourceSpec } from '../../resources/field.ts'
import { nameColumn, numberColumn, plainColumn, Special } from '../../resources/columns.tsx'
import { byLocale, byValue, choice, text, wholeNumber } from '../../resources/inputs.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useFormats } from '../../words/format.ts'
import { TypePreview } from './type-preview.tsx'

/** Attribute definitions: labels, units, order, the values of lists, and types. */
export function AttributesPage() {
  const words = useResourceWords('attributes')
  const typeName = (type: AttributeType | null) => words.of(`types.${type ?? 'notStated'}`)
  const spec: ResourceSpec<'attributes'> = {
    name: 'attributes',
    key: 'key',
    required: ['key'],
    fixed: ['key'],
    fields: {
      key: text({ placeholder: 'weight' }),
      labels: byLocale(),
      unit: text({ isNullable: true, placeholder: 'kg' }),
      units: byLocale(),
      position: wholeNumber(),
      options: byValue(),
      type: choice<AttributeType | null>(
        [null, ...ATTRIBUTE_TYPES].map((value) => ({ value, label: typeName(value) })),
      ),
      separator: text({ isNullable: true, isCode: true, placeholder: '|' }),
      decimal: choice<'.' | ',' | null>([
        { value: null, label: words.of('types.shown') },
        { value: '.', label: words.of('types.point') },
        { value: ',', label: words.of('types.comma') },
      ]),
    },
    initial: {
      key: '',
      unit: null,
      units: {},
      position: 0,
      labels: {},
      options: {},
      type: null,
      separator: null,
      decimal: null,
    },
    titleOf: (attribute) => attribute.key,
  }
  const { i18n } = useTranslation()
  const format = useFormats()
  /** The label in the reader's language; without one, the key. */
  const nameOf = ({ key, labels: texts }: Resource<'attributes'>) => texts?.[i18n.language] ?? key
  const isNamed = (attribute: Resource<'attributes'>) => nameOf(attribute) !== attribute.key
  /** Labels in the other languages. */
  const labels = (attribute: Resource<'attributes'>) =>
    Object.entries(attribute.labels ?? {})
      .filter(([locale]) => !isNamed(attribute) || locale !== i18n.language)
      .map(([locale, label]) => `${format.language(locale)}: ${label}`)
      .join(' · ')
  const columns: Column<Resource<'attributes'>>[] = [
    nameColumn('key', words.of('named'), nameOf, (attribute) =>
      isNamed(attribute) ? <Special>{attribute.key}</Special> : null,
    ),
    plainColumn('labels', words.label('labels'), '34%', labels),
    plainColumn('unit', words.label('unit'), '10%', (attribute) => attribute.unit ?? ''),
    {
      ...plainColumn<Resource<'attributes'>>('type', words.label('type'), '12%', ({ type }) =>
        type === null ? '' : typeName(type),
      ),
      isShownFor: (rows) => rows.some(({ type }) => type !== null),
    },
    numberColumn('options', words.of('values'), '10%', (attribute) => Object.keys(attribute.options ?? {}).length),
    numberColumn('position', words.label('position'), '11%', (attribute) => attribute.position),
  ]
  return (
    <ResourcePage
      spec={spec}
      columns={columns}
      phoneLine={labels}
      aside={({ key }, values) => <TypePreview attribute={key} values={values} />}
    />
  )
}
