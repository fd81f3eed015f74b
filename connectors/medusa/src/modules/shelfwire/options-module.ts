/** Carries the plugin's options into the shop's container, and its migrations into `medusa db:migrate`. */
export class ShelfwireModule {
  readonly options: unknown

  constructor(_container: unknown, options: unknown) {
    this.options = options
  }
}
