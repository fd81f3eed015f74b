import { Module } from '@medusajs/framework/utils'
import { ShelfwireModule } from './options-module.ts'

// Medusa looks for a module in a file of this name.

export default Module('shelfwire', { service: ShelfwireModule })
