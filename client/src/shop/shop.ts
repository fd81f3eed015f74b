// What a connector needs that lives in a shop's own process and keeps its state in the shop's PostgreSQL database: client/README.md.

export {
  amountWith,
  articleOf,
  distinct,
  handleOf,
  isArticleKey,
  isHandle,
  stockByLocation,
  variantsOf,
  type Article,
  type Listing,
} from './article.ts'
export { Follower } from './follower.ts'
export { answerHint } from './hint.ts'
export { presence, type Deviation, type Difference, type Keeper, type Logger } from './keeper.ts'
export { KEPT_TABLES, madeOf, makeKeptTables, noteMade, type KeptConnection, type KeptDatabase } from './kept.sql.ts'
export { OptionReader, type ConnectorOptions } from './options.ts'
export { openAccount, rowNamed, warnOnce, type OpenedAccount, type ShopSession } from './shop-session.ts'
export { shopSettings, type ShopSettings } from './settings.ts'
export { ShopTarget } from './shop-target.ts'
export { linesOf, shopStatus, verifyShop, type Report } from './verify-shop.ts'
