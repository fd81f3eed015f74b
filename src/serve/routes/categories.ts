import { LIST_CATEGORIES } from '../../../contract/routes/catalog.ts'
import { categoryTreeRows } from '../../catalog/settings/content/categories.sql.ts'
import { localeChain } from '../../model/locale.ts'
import { mapYielding } from '../../platform/turns/yielding.ts'
import { categoryTree, inTreeOrder, nameIn } from '../../resolve/content/category-tree.ts'
import { foldCategory } from '../../resolve/rules/conditions.ts'
import { answer, openTag } from '../answer.ts'
import type { Handlers } from '../context.ts'
import { handle } from '../handle.ts'

/** GET /v1/categories. There may be 10,000 in 20 levels, so it yields to other requests. */
export const categoryHandlers: Handlers = (app, { db, stores }) => {
  handle(app, LIST_CATEGORIES, async ({ query, caller: { accountId }, request, reply }) => {
    const { slug, locale } = await stores.find(accountId, query.store)
    const account = await categoryTreeRows(db, accountId)
    const chain = localeChain(locale, account.locale)
    const paths = await mapYielding(account.rows, ({ path }) => foldCategory(path))
    const tree = categoryTree(account.rows, paths)
    await mapYielding(account.rows, tree.above)
    const tag = openTag()
    const data = await mapYielding(inTreeOrder(account.rows, tree), ({ category, above }) => {
      const text = JSON.stringify({
        id: category.categoryId,
        parent_id: above?.categoryId ?? null,
        name: nameIn(category, chain),
        path: tree.shownPath(category, chain),
        external_id: category.externalId,
        position: category.position,
      })
      tag.add(text)
      return text
    })
    const tail = `],"store":${JSON.stringify(slug)}}`
    tag.add(tail)
    return answer(request, reply, `{"data":[${data.join(',')}${tail}`, tag.end())
  })
}
