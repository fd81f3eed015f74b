import type { Family } from '../family.ts'
import { BAGS } from './bags.ts'
import { CAMPING } from './camping.ts'
import { CYCLING } from './cycling.ts'
import { ELECTRONICS } from './electronics.ts'
import { FITNESS } from './fitness.ts'
import { GARDEN } from './garden.ts'
import { KITCHEN } from './kitchen.ts'
import { LIGHTING } from './lighting.ts'
import { PETS } from './pets.ts'
import { STATIONERY } from './stationery.ts'
import { TEXTILES } from './textiles.ts'
import { TOOLS } from './tools.ts'

/** Every family of the demo's products. */
export const FAMILIES: readonly Family[] = [
  CAMPING,
  KITCHEN,
  TOOLS,
  LIGHTING,
  BAGS,
  CYCLING,
  STATIONERY,
  TEXTILES,
  PETS,
  ELECTRONICS,
  GARDEN,
  FITNESS,
]
