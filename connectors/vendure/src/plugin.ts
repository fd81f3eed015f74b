import { PluginCommonModule, VendurePlugin, type ShopConfig } from '@vendure/core'
import { adminApi } from './admin-api.ts'
import { Connector, OPTIONS } from './connector.ts'
import { withCustomFields } from './custom-fields.ts'
import { ShelfwireController } from './http.ts'
import { optionsOf, type PluginOptions } from './options.ts'
import { keepRawBody } from './raw-body.ts'

function configure(config: ShopConfig): ShopConfig {
  config.apiOptions.middleware.push({ route: '/shelfwire/hook', handler: keepRawBody, beforeListen: true })
  return withCustomFields(config)
}

/** Keeps the shop equal to one or more of Shelfwire's stores: `plugins: [ShelfwirePlugin.init({ … })]`. */
@VendurePlugin({
  imports: [PluginCommonModule],
  controllers: [ShelfwireController],
  providers: [Connector, { provide: OPTIONS, useFactory: (): PluginOptions | undefined => ShelfwirePlugin.options }],
  adminApiExtensions: adminApi,
  // the shop's own build of the dashboard includes this file
  dashboard: './dashboard/extension.js',
  compatibility: '^3.5.0',
  configuration: configure,
})
// oxlint-disable-next-line typescript/no-extraneous-class -- Vendure takes a class
export class ShelfwirePlugin {
  static options: PluginOptions | undefined

  /** @throws OptionsError where the options are invalid */
  static init(options: PluginOptions): typeof ShelfwirePlugin {
    optionsOf(options)
    this.options = options
    return ShelfwirePlugin
  }
}
