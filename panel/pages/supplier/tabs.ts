/** Names of the tabs of a supplier's page, as they are in its address. */
export const supplierTabs = { sources: 'sources', runs: 'runs', limits: 'limits', settings: 'settings' } as const
