// Types of Vendure's packages and their dependencies, as far as they are used. The shop brings the packages.

declare module '@nestjs/common' {
  export function Controller(path: string): ClassDecorator
  export function Get(path: string): MethodDecorator
  export function Post(path: string): MethodDecorator
  export function Injectable(): ClassDecorator
  export function Inject(token: unknown): ParameterDecorator
  export function Req(): ParameterDecorator
  export function Res(): ParameterDecorator
  export function Body(): ParameterDecorator
}

declare module '@nestjs/core' {
  export class ModuleRef {
    private readonly isModuleRef: true
  }
}

declare module '@nestjs/graphql' {
  export function Resolver(): ClassDecorator
  export function Query(): MethodDecorator
  export function Mutation(): MethodDecorator
  export function Args(): ParameterDecorator
}

declare module 'graphql' {
  export function parse(text: string): object
}

declare module 'typeorm' {
  export function In(values: readonly unknown[]): unknown
  export function IsNull(): unknown
  export function MoreThan(value: unknown): unknown
  export function Not(value: unknown): unknown
}

declare module '@vendure/core' {
  import type { ModuleRef } from '@nestjs/core'

  /** A number where the shop's ids are sequential, a text where they are UUIDs. */
  export type Id = string | number
  type Type<T> = new (...args: never[]) => T

  export const PluginCommonModule: unknown
  export const LanguageCode: Readonly<Record<string, string>>
  export const Permission: Readonly<{ SuperAdmin: string }>
  export const Logger: Record<'info' | 'warn' | 'error', (text: string, context: string) => void>
  export function Allow(...permissions: string[]): MethodDecorator
  export function VendurePlugin(metadata: {
    imports: unknown[]
    controllers: unknown[]
    providers: unknown[]
    compatibility: string
    adminApiExtensions: { schema: object; resolvers: unknown[] }
    dashboard: string
    configuration: (config: ShopConfig) => ShopConfig
  }): ClassDecorator

  export interface ShopConfig {
    customFields: Record<string, object[] | undefined>
    apiOptions: { middleware: { route: string; handler: unknown; beforeListen: boolean }[] }
  }

  export class Injector {
    constructor(moduleRef: ModuleRef)
    get<T>(token: Type<T>): T
  }

  export class ProcessContext {
    get isServer(): boolean
    get isWorker(): boolean
  }

  export class RequestContext {
    get channelId(): Id
  }

  export class RequestContextService {
    create(of: { apiType: 'admin'; user: { id: Id } }): Promise<RequestContext>
  }

  interface Manager {
    query(sql: string, values?: readonly unknown[]): Promise<unknown>
    createQueryBuilder(): { insert(): { into(table: string): { values(rows: readonly object[]): Insertion } } }
  }

  interface Insertion {
    updateEntity(isUpdated: boolean): Insertion
    orIgnore(): Insertion
    execute(): Promise<unknown>
  }

  interface Junction {
    tableName: string
    ownerColumns: { databaseName: string }[]
    inverseColumns: { databaseName: string }[]
  }

  interface Repository<Row> {
    manager: Manager
    metadata: {
      columns: readonly object[]
      findRelationWithPropertyPath(path: string): { junctionEntityMetadata?: Junction } | undefined
    }
    insert(rows: readonly object[]): Promise<{ identifiers: { id: Id }[] }>
    find(of: object): Promise<Row[]>
    findOne(of: object): Promise<Row | null>
  }

  export class TransactionalConnection {
    rawConnection: Manager & {
      transaction<T>(work: (manager: Manager) => Promise<T>): Promise<T>
      options: { type: string }
    }
    getRepository<Row>(ctx: RequestContext, entity: unknown): Repository<Row>
    withTransaction<T>(ctx: RequestContext, work: (ctx: RequestContext) => Promise<T>): Promise<T>
  }

  export class DefaultProductVariantPriceUpdateStrategy {
    private readonly isDefaultStrategy: true
  }

  /** Delivers events that were published within a transaction after the transaction. */
  export class EventBus {
    publish(event: object): Promise<void>
  }
  export class ProductEvent {
    private readonly isProductEvent: true
    constructor(ctx: RequestContext, product: object, type: 'created', input: object)
  }
  export class ProductVariantEvent {
    private readonly isProductVariantEvent: true
    constructor(ctx: RequestContext, variants: readonly object[], type: 'created', input: readonly object[])
  }
  export class ProductVariantPriceEvent {
    private readonly isProductVariantPriceEvent: true
    constructor(ctx: RequestContext, prices: readonly object[], type: 'created')
  }
  export class ProductVariantChannelEvent {
    private readonly isProductVariantChannelEvent: true
    constructor(ctx: RequestContext, variant: object, channelId: Id, type: 'assigned')
  }
  export class StockMovementEvent {
    private readonly isStockMovementEvent: true
    constructor(ctx: RequestContext, movements: readonly object[])
  }
  export class ProductChannelEvent {
    private readonly isProductChannelEvent: true
    constructor(ctx: RequestContext, product: object, channelId: Id, type: 'assigned')
  }

  export class ConfigService {
    authOptions: { superadminCredentials: { identifier: string } }
    entityOptions: { moneyStrategy: { precision?: number } }
    catalogOptions: { productVariantPriceUpdateStrategy: object }
  }

  export class JobQueueService {
    createQueue(of: { name: string; process: () => Promise<void> }): Promise<{
      add(data: object, options: { retries: number }): Promise<unknown>
    }>
  }

  // entities; src/shop/rows.ts has the members that are read
  export class Asset {
    private readonly isAsset: true
  }
  export class Collection {
    private readonly isCollection: true
  }
  export class Facet {
    private readonly isFacet: true
  }
  export class FacetValue {
    private readonly isFacetValue: true
  }
  export class Product {
    private readonly isProduct: true
  }
  export class ProductOption {
    private readonly isProductOption: true
  }
  export class ProductOptionGroup {
    private readonly isProductOptionGroup: true
  }
  export class ProductAsset {
    private readonly isProductAsset: true
  }
  export class ProductOptionGroupTranslation {
    private readonly isProductOptionGroupTranslation: true
  }
  export class ProductOptionTranslation {
    private readonly isProductOptionTranslation: true
  }
  export class ProductTranslation {
    private readonly isProductTranslation: true
  }
  export class ProductVariant {
    private readonly isProductVariant: true
    constructor(of: object)
  }
  export class ProductVariantAsset {
    private readonly isProductVariantAsset: true
  }
  export class ProductVariantPrice {
    private readonly isProductVariantPrice: true
    constructor(of: object)
  }
  export class ProductVariantTranslation {
    private readonly isProductVariantTranslation: true
  }
  export class StockAdjustment {
    private readonly isStockAdjustment: true
    constructor(of: object)
  }
  export class StockLevel {
    private readonly isStockLevel: true
  }
  export class StockLocation {
    private readonly isStockLocation: true
  }
  export class User {
    private readonly isUser: true
  }

  interface ShopChannel {
    id: Id
    code: string
    availableLanguageCodes: string[]
    availableCurrencyCodes: string[]
    defaultCurrencyCode: string
    defaultTaxZone: object | null
    pricesIncludeTax: boolean
  }

  export class AssetService {
    create(
      ctx: RequestContext,
      of: { file: Promise<{ filename: string; mimetype: string; createReadStream: () => unknown }> },
    ): Promise<{ id: Id } | { errorCode: string; message: string }>
  }
  export class ChannelService {
    findAll(ctx: RequestContext, options: { take: number }): Promise<{ items: ShopChannel[] }>
    getDefaultChannel(): Promise<ShopChannel>
    assignToChannels(ctx: RequestContext, entity: unknown, id: Id, channelIds: readonly Id[]): Promise<unknown>
  }
  export class CollectionService {
    create(ctx: RequestContext, of: object): Promise<{ id: Id }>
    update(ctx: RequestContext, of: object): Promise<unknown>
    move(ctx: RequestContext, of: { collectionId: Id; parentId: Id; index: number }): Promise<unknown>
    setApplyAllFiltersOnProductUpdates(isApplied: boolean): void
    triggerApplyFiltersJob(ctx: RequestContext): Promise<void>
  }
  export class FacetService {
    create(ctx: RequestContext, of: object): Promise<{ id: Id }>
  }
  export class FacetValueService {
    create(ctx: RequestContext, facet: { id: Id }, of: object): Promise<{ id: Id }>
    update(ctx: RequestContext, of: object): Promise<unknown>
  }
  export class ProductOptionGroupService {
    create(ctx: RequestContext, of: object): Promise<{ id: Id }>
    update(ctx: RequestContext, of: object): Promise<unknown>
  }
  export class ProductOptionService {
    create(ctx: RequestContext, group: Id, of: object): Promise<{ id: Id }>
    update(ctx: RequestContext, of: object): Promise<unknown>
  }
  export class ProductService {
    create(ctx: RequestContext, of: object): Promise<{ id: Id }>
    update(ctx: RequestContext, of: object): Promise<unknown>
    addOptionGroupToProduct(ctx: RequestContext, productId: Id, optionGroupId: Id): Promise<unknown>
    removeOptionGroupFromProduct(
      ctx: RequestContext,
      productId: Id,
      optionGroupId: Id,
      force: boolean,
    ): Promise<unknown>
  }
  export class ProductVariantService {
    create(ctx: RequestContext, of: object[]): Promise<{ id: Id }[]>
    update(ctx: RequestContext, of: object[]): Promise<unknown>
    softDelete(ctx: RequestContext, ids: Id[]): Promise<unknown>
    createOrUpdateProductVariantPrice(
      ctx: RequestContext,
      variantId: Id,
      price: number,
      channelId: Id,
      currency: string,
    ): Promise<unknown>
    assignProductVariantsToChannel(
      ctx: RequestContext,
      of: { productVariantIds: Id[]; channelId: Id },
    ): Promise<unknown>
    removeProductVariantsFromChannel(
      ctx: RequestContext,
      of: { productVariantIds: Id[]; channelId: Id },
    ): Promise<unknown>
  }
  export class StockLocationService {
    findAll(ctx: RequestContext, options: { take: number }): Promise<{ items: { id: Id; name: string }[] }>
    defaultStockLocation(ctx: RequestContext): Promise<{ id: Id; name: string }>
  }
  export class TaxCategoryService {
    findAll(ctx: RequestContext): Promise<{ items: { id: Id; name: string; isDefault: boolean }[] }>
  }
}
