import { sentence } from './sentence.ts'

// A remark about a scheduled run whose file was imported before.

const SET_ASIDE = 'the file is that of run {run}, which was set aside because it ended the process that imported it'

export const SET_ASIDE_REMARKS = {
  file_tried_again: sentence({ run: 'id', hours: 'count' }, `${SET_ASIDE}: after {hours} hours it is tried once more`),
  file_of_undone_run: sentence(
    { run: 'id' },
    'the file is that of run {run}, which was undone: it is imported again when it or the mapping changes, or on request',
  ),
  file_set_aside: sentence(
    { run: 'id', hours: 'count' },
    `${SET_ASIDE}: it is imported again {hours} hours after that, when it or the mapping changes, or on request`,
  ),
  file_set_aside_for_good: sentence(
    { run: 'id', runs: 'count' },
    `${SET_ASIDE}: it is imported again when it or the mapping changes, or on request, because {runs} runs of it were set aside`,
  ),
} as const
