import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../components/loaded.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { List } from '../../components/list.tsx'
import { Sheet, Toolbar } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { RowSearch, useResourceAddress } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'
import classes from './categories.module.css'
import { pathsOf, useCategoryColumns } from './category-columns.tsx'
import { foldKey, seenOf, treeOf, type Category, type Node } from './tree.ts'
import { useMoving } from './use-moving.ts'

/** How far a category stands behind the one that it is in, and what stands before its name. */
const INDENT_PX = 20
const SIGNS_PX = 52

/** A tree of up to so many categories is unfolded at first. */
const UNFOLDED_MAX = 40
/** Names in so many languages have a column; the form has all of them. */
const LANGUAGES_MAX = 4

/** The account's categories: moved by dragging their handles or by arrow keys on them, their names and IDs edited where they stand. */
export function CategoryTree({ categories }: { categories: readonly Category[] }) {
  const { t, i18n } = useTranslation('resources')
  const words = useResourceWords('categories')
  const address = useResourceAddress()
  const nodes = useMemo(
    () => treeOf(categories, new Intl.Collator(i18n.language, { numeric: true }).compare),
    [categories, i18n.language],
  )
  const unfolded = useUnfolded(nodes)
  const text = address.search.q ?? ''
  const seen = seenOf(nodes, unfolded.keys, text)
  const moving = useMoving({ nodes, seen, follow: unfolded.follow })
  const [failed, setFailed] = useState<unknown>(null)
  const open = (node: Node) => {
    if (node.category !== null) address.open(node.category.id)
    else unfolded.toggle(node)
  }
  const languages = [...new Set((stores.data ?? []).map(({ locale }) => locale.split('-')[0] ?? locale))].slice(
    0,
    LANGUAGES_MAX,
  )
  const columns: Column<Node>[] = [
    {
      id: 'name',
      title: words.of('name'),
      cell: (node) => (
        <span className={`${classes.level} ${markOf(node)}`} style={{ paddingInlineStart: node.depth * INDENT_PX }}>
          {node.category === null || text !== '' ? (
            <span className={classes.leaf} />
          ) : (
            <button
              type="button"
              className={classes.handle}
              aria-label={words.of('move', { name: node.name })}
              title={words.of('moveHint')}
              aria-disabled={isBusy}
              {...handleOf(node)}
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
            fail={setFailed}
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
            fail={setFailed}
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
  return (
    <>
      <Toolbar>
        <RowSearch q={text} filter={address.filter} />
        {nodes.some(({ below }) => below > 0) ? (
          <>
            <Button size="xs" variant="default" onClick={unfolded.all}>
              {words.of('unfoldAll')}
            </Button>
            <Button size="xs" variant="default" onClick={unfolded.none}>
              {words.of('foldAll')}
            </Button>
          </>
        ) : null}
      </Toolbar>
      <ProblemNote error={moving.error ?? failed} />
      <div role="status" className={classes.said}>
        {moving.said}
      </div>
      <Sheet>
        <List
          label={words.of('tree')}
          columns={columns}
          rows={seen}
          keyOf={(node) => node.category?.id ?? foldKey(node)}
          open={open}
          phoneLine={({ category, depth }) => (
            <span style={{ paddingInlineStart: depth * INDENT_PX + SIGNS_PX }}>{pathsOf(category)}</span>
          )}
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
