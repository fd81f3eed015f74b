import { LIST_CATEGORIES } from '../../../contract/routes/catalog.ts'
import { categoryTreeRows } from '../../catalog/settings/categories.sql.ts'
import { localeChain } from '../../model/locale.ts'
import { categoryTree, inTreeOrder, nameIn } from '../../resolve/category-tree.ts'
import { answer, tagOf } from '../answer.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'

/** GET /v1/categories */
export const categoryHandlers: Handlers = (app, { db, stores }) => {
  handle(app, LIST_CATEGORIES, async ({ query, caller: { accountId }, request, reply }) => {
    const { slug, locale } = await stores.find(accountId, query.store)
    const account = await categoryTreeRows(db, accountId)
    const chain = localeChain(locale, account.locale)
    const tree = categoryTree(account.rows)
    const data = inTreeOrder(account.rows, tree).map(({ category, above }) => ({
      id: category.categoryId,
      parent_id: above?.categoryId ?? null,
      name: nameIn(category, chain),
      path: tree.shownPath(category, chain),
      external_id: category.externalId,
      position: category.position,
    }))
    const body = JSON.stringify({ data, store: slug })
    return answer(request, reply, body, tagOf(body))
  })
}
