// Types of Medusa's packages, as far as they are used. The shop brings the packages: they are 700 MB, which work on Shelfwire should not need.

declare module '@medusajs/framework/utils' {
  export function Module<T>(name: string, module: { service: T }): { service: T }
}

declare module '@medusajs/framework/mikro-orm/migrations' {
  export abstract class Migration {
    protected addSql(sql: string): void
    abstract up(): void | Promise<void>
    down(): void | Promise<void>
  }
}

declare module '@medusajs/framework/http' {
  export function defineMiddlewares<T>(config: T): T
}

declare module '@medusajs/medusa/core-flows' {
  import type { Container } from './medusa-shop.ts'

  /** Runs in the shop's process. When a step fails, Medusa undoes the steps before it. */
  type Workflow<Result> = (container: Container) => { run(of: { input: unknown }): Promise<{ result: Result }> }

  export const batchProductVariantsWorkflow: Workflow<unknown>
  export const batchVariantImagesWorkflow: Workflow<unknown>
  export const createCustomerGroupsWorkflow: Workflow<{ id: string }[]>
  export const createPriceListsWorkflow: Workflow<{ id: string }[]>
  export const createProductCategoriesWorkflow: Workflow<{ id: string }[]>
  export const createProductsWorkflow: Workflow<{ id: string }[]>
  export const deleteProductsWorkflow: Workflow<unknown>
  export const deleteProductVariantsWorkflow: Workflow<unknown>
  export const setProductProductOptionsWorkflow: Workflow<unknown>
  export const updateProductCategoriesWorkflow: Workflow<unknown>
  export const updateProductsWorkflow: Workflow<unknown>
}
