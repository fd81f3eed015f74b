import { Migration } from '@medusajs/framework/mikro-orm/migrations'
import { KEPT_TABLES } from '@shelfwire/client/shop'

/** The table of the last run, for a shop whose other tables were made by an earlier version. */
export class Migration20261128090000 extends Migration {
  override up(): void {
    for (const statement of KEPT_TABLES['shelfwire_run'] ?? []) this.addSql(statement)
  }

  override down(): void {
    this.addSql('drop table if exists shelfwire_run')
  }
}
