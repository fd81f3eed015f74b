import { ActionIcon, Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../components/loaded.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Sheet, Toolbar } from '../../components/page.tsx'
import { ChevronDownIcon, ChevronRightIcon } from '../../design/icons.tsx'
import { RowSearch, useResourceAddress } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useFormats } from '../../words/format.ts'
import classes from './categories.module.css'
import { foldKey, seenOf, treeOf, type Category, type Node } from './tree.ts'

/** A tree of up to so many categories is unfolded at first. */
const UNFOLDED_MAX = 40

export function CategoryTree({ categories }: { categories: readonly Category[] }) {
  const { t, i18n } = useTranslation('resources')
  const words = useResourceWords('categories')
  const address = useResourceAddress()
  const format = useFormats()
  const nodes = useMemo(
    () => treeOf(categories, new Intl.Collator(i18n.language, { numeric: true }).compare),
    [categories, i18n.language],
  )
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(
    () => new Set(nodes.length > UNFOLDED_MAX ? [] : nodes.map(foldKey)),
  )
  const text = address.search.q ?? ''
  const toggle = (node: Node) =>
    setUnfolded((before) => {
      const next = new Set(before)
      if (!next.delete(foldKey(node))) next.add(foldKey(node))
      return next
    })
  const open = (node: Node) => {
    if (node.category !== null) address.open(node.category.id)
    else toggle(node)
  }
  const columns: Column<Node>[] = [
    {
      id: 'name',
      title: words.of('name'),
      cell: (node) => (
        <span className={classes.level} style={{ paddingInlineStart: node.depth * 20 }}>
          {node.below === 0 ? (
            <span className={classes.leaf} />
          ) : (
            <ActionIcon
              size={20}
              variant="subtle"
              color="gray"
              aria-expanded={text !== '' || unfolded.has(foldKey(node))}
              aria-label={words.of('unfold', { name: node.name })}
              onClick={() => toggle(node)}
            >
              {text !== '' || unfolded.has(foldKey(node)) ? (
                <ChevronDownIcon size={14} />
              ) : (
                <ChevronRightIcon size={14} />
              )}
            </ActionIcon>
          )}
          <span dir="auto" className={node.category === null ? classes.quiet : undefined} title={node.path}>
            {node.name}
          </span>
        </span>
      ),
    },
    {
      id: 'below',
      title: words.of('belowCount'),
      width: '14%',
      isNumber: true,
      isWide: true,
      cell: (node) => (node.below === 0 ? '–' : format.number(node.below)),
    },
    {
      id: 'mapped',
      title: words.label('supplier_paths'),
      width: '38%',
      isWide: true,
      cell: ({ category }) => <span title={pathsOf(category)}>{pathsOf(category) || '–'}</span>,
    },
  ]
  return (
    <>
      <Toolbar>
        <RowSearch q={text} filter={address.filter} />
        {nodes.some(({ below }) => below > 0) ? (
          <>
            <Button size="xs" variant="default" onClick={() => setUnfolded(new Set(nodes.map(foldKey)))}>
              {words.of('unfoldAll')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setUnfolded(new Set())}>
              {words.of('foldAll')}
            </Button>
          </>
        ) : null}
      </Toolbar>
      <Sheet>
        <List
          label={words.of('tree')}
          columns={columns}
          rows={seenOf(nodes, unfolded, text)}
          keyOf={foldKey}
          open={open}
          phoneLine={({ category }) => pathsOf(category)}
          empty={
            categories.length === 0 ? (
              <Empty
                action={
                  <span className={classes.actions}>
                    <Button onClick={() => address.create()}>{words.of('create')}</Button>
                    <LinkButton to="." search={{ tab: 'paths' }}>
                      {words.of('paths')}
                    </LinkButton>
                  </span>
                }
              >
                {words.of('none')}
              </Empty>
            ) : (
              <Empty>{t('noMatch', { text })}</Empty>
            )
          }
        />
      </Sheet>
    </>
  )
}

const pathsOf = (category: Category | null) => category?.supplier_paths.join(' · ') ?? ''
