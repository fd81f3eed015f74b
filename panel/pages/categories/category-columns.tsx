import { ActionIcon } from '@mantine/core'
import { useResources } from '../../api/resources.ts'
import type { Column } from '../../components/list.tsx'
import { ChevronDownIcon, ChevronRightIcon, GripIcon } from '../../design/icons.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './categories.module.css'
import { EditedText } from './edited-text.tsx'
import { foldKey, type Category, type Node } from './tree.ts'
import type { useMoving } from './use-moving.ts'
import type { Unfolded } from './use-unfolded.ts'

/** Indentation per level, and the width of the handle and icons before the name. */
export const INDENT_PX = 20
export const SIGNS_PX = 52
/** Up to this many languages have a column for their names; the form has all languages. */
const LANGUAGES_MAX = 4

interface Shown {
  /** Search text. While it is not empty, everything found is unfolded and nothing can be moved. */
  text: string
  unfolded: Unfolded
  moving: Pick<ReturnType<typeof useMoving>, 'markOf' | 'handleOf' | 'isBusy'>
  fail: (error: unknown) => void
}

/** The columns of the tree: a category's name with its handle, then columns that are edited in place. */
export function useCategoryColumns({ text, unfolded, moving, fail }: Shown): Column<Node>[] {
  const words = useResourceWords('categories')
  const format = useFormats()
  const account = useAccount()
  const stores = useResources(account.id, 'stores')
  const languages = [...new Set((stores.data ?? []).map(({ locale }) => locale.split('-')[0] ?? locale))].slice(
    0,
    LANGUAGES_MAX,
  )
  return [
    {
      id: 'name',
      title: words.of('name'),
      cell: (node) => <Name node={node} isSearched={text !== ''} unfolded={unfolded} moving={moving} />,
    },
    ...languages.map((locale): Column<Node> => ({
      id: `name-${locale}`,
      title: format.language(locale),
      width: '14%',
      isWide: true,
      cell: ({ category, name }) =>
        category === null ? null : (
          <EditedText
            key={category.id}
            category={category}
            label={words.of('nameIn', { language: format.language(locale), path: category.path })}
            value={category.names?.[locale] ?? ''}
            placeholder={name}
            bodyOf={(value) => ({ names: { [locale]: value } })}
            fail={fail}
          />
        ),
    })),
    {
      id: 'external',
      title: words.label('external_id'),
      width: '12%',
      isWide: true,
      cell: ({ category }) =>
        category === null ? null : (
          <EditedText
            key={category.id}
            category={category}
            label={words.of('externalOf', { path: category.path })}
            value={category.external_id ?? ''}
            bodyOf={(value) => ({ external_id: value })}
            fail={fail}
          />
        ),
    },
    {
      id: 'mapped',
      title: words.of('pathsCount'),
      width: '12%',
      isNumber: true,
      isWide: true,
      cell: ({ category }) => (
        <span title={pathsOf(category)}>
          {category === null || category.supplier_paths.length === 0
            ? '–'
            : format.number(category.supplier_paths.length)}
        </span>
      ),
    },
  ]
}

function Name({
  node,
  isSearched,
  unfolded,
  moving,
}: Pick<Shown, 'unfolded' | 'moving'> & { node: Node; isSearched: boolean }) {
  const words = useResourceWords('categories')
  const isOpen = isSearched || unfolded.keys.has(foldKey(node))
  return (
    <span className={`${classes.level} ${moving.markOf(node)}`} style={{ paddingInlineStart: node.depth * INDENT_PX }}>
      {node.category === null || isSearched ? (
        <span className={classes.leaf} />
      ) : (
        <button
          type="button"
          className={classes.handle}
          aria-label={words.of('move', { name: node.name })}
          title={words.of('moveHint')}
          aria-disabled={moving.isBusy}
          {...moving.handleOf(node)}
        >
          <GripIcon size={16} />
        </button>
      )}
      {node.below === 0 ? (
        <span className={classes.leaf} />
      ) : (
        <ActionIcon
          size={20}
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={words.of('unfold', { name: node.name })}
          onClick={() => unfolded.toggle(node)}
        >
          {isOpen ? <ChevronDownIcon size={14} /> : <ChevronRightIcon size={14} />}
        </ActionIcon>
      )}
      <span dir="auto" className={node.category === null ? classes.quiet : undefined} title={node.path}>
        {node.name}
      </span>
    </span>
  )
}

export const pathsOf = (category: Category | null) => category?.supplier_paths.join(' · ') ?? ''
