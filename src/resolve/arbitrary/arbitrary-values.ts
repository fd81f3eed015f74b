// Values that inputs are drawn from: usual ones, and ones that have caused errors.

export const TEXTS = [
  'A',
  '',
  ' ',
  'Blue',
  ' blue ',
  '12.5',
  '-0.50',
  '7',
  '"\\',
  '\u2028',
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  'łódź/ß',
  '<p>1</p>',
] as const
export const NAMES = ['Acme', 'ACME', ' acme ', 'Bolt & Co', 'constructor', ' ', 'e\u0301clair', '\u00c9clair'] as const
export const CATEGORIES = [
  'Tools',
  'tools/Hand tools',
  'TOOLS / Hand Tools / Saws',
  'Toolsmith',
  'Garden',
  '/',
  'Garden//Soil',
  '',
] as const
export const LOCALES = ['en', 'pl', 'pl-PL', 'de-AT', 'zh-Hant-TW', 'und'] as const
export const CURRENCIES = ['EUR', 'PLN', 'JPY', 'KWD', 'CLF', 'ZZZ'] as const
export const AMOUNTS = ['0', '0.01', '5', '9.99', '12.345678', '100', '0.333333', '1000'] as const
export const DAYS = ['2026-11-20', '2026-11-19', '2026-11-21', '2025-12-31'] as const
export const PATTERNS = [
  '{sku}',
  '{supplier_code|upper}-{supplier_sku}-{checksum}',
  '{id|pad:8}',
  '{ean|default:X}{manufacturer|first:3}',
  '{category|slug}',
  '{broken',
  '',
] as const
