import Type from 'typebox'
import { Text } from '../values.ts'
import { Time } from './route.ts'

/** An identity at the identity provider, as its own person sees it. */
export const LinkedIdentity = Type.Object({
  email: Type.Union([Text, Type.Null()], {
    description: 'That the provider named when it was linked, verified or not; null: none.',
  }),
  linked_at: Time('When it was linked.'),
  takes_over: Type.Boolean({
    description:
      'Whether the next sign-in there ends the password, passkeys, codes and other sessions: the provider has verified the address, and nothing here had shown whose it is.',
  }),
})
