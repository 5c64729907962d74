// People, places and deliveries inside a transaction, bound to the tables of a test.
import type { ChannelTransaction } from '../../../port/channels.ts';
import type { MemoryDatabase } from '../engine/database.ts';
import type { RunStatement } from '../engine/session.ts';
import * as deliveries from './deliveries.ts';
import * as people from './people.ts';

/** All of it but the silences. */
type Bound = Omit<ChannelTransaction, 'insertSilence' | 'deleteSilence' | 'saveSilence' | 'listSilences'>;

/** Their names in the port. */
export function bindChannels(run: RunStatement, db: MemoryDatabase): Bound {
  return {
    insertPerson: (person) => run('insertPerson', () => people.insertPerson(db, person)),
    findPersonByName: (name) => run('findPersonByName', () => people.findPersonByName(db, name)),
    deletePerson: (id) => run('deletePerson', () => people.deletePerson(db, id)),
    savePerson: (person) => run('savePerson', () => people.savePerson(db, person)),
    insertLinkCode: (code) => run('insertLinkCode', () => people.insertLinkCode(db, code)),
    takeLinkCode: (sha256, now) => run('takeLinkCode', () => people.takeLinkCode(db, sha256, now)),
    personOf: (channel, subject) => run('personOf', () => people.personOf(db, channel, subject)),
    saveIdentity: (identity) => run('saveIdentity', () => people.saveIdentity(db, identity)),
    savePlace: (place) => run('savePlace', () => people.savePlace(db, place)),
    deletePlace: (place) => run('deletePlace', () => people.deletePlace(db, place)),
    movePlace: (move) => run('movePlace', () => people.movePlace(db, move)),
    wantDelivery: (id, place, when) => run('wantDelivery', () => deliveries.wantDelivery(db, id, { place, ...when })),
    listPeople: () => run('listPeople', () => people.listPeople(db)),
    listPlaces: () => run('listPlaces', () => people.listPlaces(db)),
    listDeliveries: (id) => run('listDeliveries', () => deliveries.listDeliveries(db, id)),
  };
}
