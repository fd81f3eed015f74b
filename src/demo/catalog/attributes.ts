import { COLOURS } from './colours.ts'
import { MATERIALS } from './materials.ts'
import { type Language, t } from './wording.ts'

/** Definitions of all attributes of the demo's products. */
export const DEMO_ATTRIBUTES: {
  key: string
  unit: string | null
  labels: Record<Language, string>
  options?: Record<string, Record<Language, string>>
}[] = [
  { key: 'color', unit: null, labels: t('Colour', 'Farbe', 'Kolor'), options: COLOURS },
  { key: 'size', unit: null, labels: t('Size', 'Größe', 'Rozmiar') },
  { key: 'material', unit: null, labels: t('Material', 'Material', 'Materiał'), options: MATERIALS },
  { key: 'persons', unit: null, labels: t('Persons', 'Personen', 'Liczba osób') },
  { key: 'pieces', unit: null, labels: t('Pieces', 'Stückzahl', 'Liczba sztuk') },
  { key: 'sheets', unit: null, labels: t('Sheets', 'Blattzahl', 'Liczba kartek') },
  { key: 'capacity_l', unit: 'l', labels: t('Capacity', 'Fassungsvermögen', 'Pojemność') },
  { key: 'length_cm', unit: 'cm', labels: t('Length', 'Länge', 'Długość') },
  { key: 'width_cm', unit: 'cm', labels: t('Width', 'Breite', 'Szerokość') },
  { key: 'height_cm', unit: 'cm', labels: t('Height', 'Höhe', 'Wysokość') },
  { key: 'diameter_cm', unit: 'cm', labels: t('Diameter', 'Durchmesser', 'Średnica') },
  { key: 'water_column_mm', unit: 'mm', labels: t('Water column', 'Wassersäule', 'Słup wody') },
  { key: 'power_w', unit: 'W', labels: t('Power', 'Leistung', 'Moc') },
  { key: 'luminous_flux_lm', unit: 'lm', labels: t('Luminous flux', 'Lichtstrom', 'Strumień świetlny') },
  { key: 'illuminance_lx', unit: 'lx', labels: t('Illuminance', 'Beleuchtungsstärke', 'Natężenie oświetlenia') },
  { key: 'color_temperature_k', unit: 'K', labels: t('Colour temperature', 'Farbtemperatur', 'Temperatura barwowa') },
  { key: 'battery_mah', unit: 'mAh', labels: t('Battery capacity', 'Akkukapazität', 'Pojemność akumulatora') },
  { key: 'weight_kg', unit: 'kg', labels: t('Weight', 'Gewicht', 'Waga') },
]
