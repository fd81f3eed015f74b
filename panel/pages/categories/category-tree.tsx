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
import { INDENT_PX, pathsOf, SIGNS_PX, useCategoryColumns } from './category-columns.tsx'
import { foldKey, visibleNodes, treeOf, type Category, type Node } from './tree.ts'
import { useMoving } from './use-moving.ts'
import { useUnfolded } from './use-unfolded.ts'

/** The account's categories: moved by dragging their handles or by the arrow keys on them; names and IDs are edited in place. */
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
  const seen = visibleNodes(nodes, unfolded.keys, text)
  const moving = useMoving({ nodes, seen, follow: unfolded.follow })
  const [failed, setFailed] = useState<unknown>(null)
  const open = (node: Node) => {
    if (node.category !== null) address.open(node.category.id)
    else unfolded.toggle(node)
  }
  const columns = useCategoryColumns({ text, unfolded, moving, fail: setFailed })
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
          phoneLine={({ category, depth }) =>
            pathsOf(category) === '' ? null : (
              <span style={{ paddingInlineStart: depth * INDENT_PX + SIGNS_PX }}>{pathsOf(category)}</span>
            )
          }
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
