package io.carillon.cluster.table;

import java.util.List;

/**
 * What one voter thinks of others. Its opinions are numbered, so that one which arrives late, or
 * twice, changes nothing.
 *
 * @param voter its member number
 * @param incarnation the life of the voter that said so
 * @param sequence of its last opinion
 * @param suspicions whom it takes for dead; it acknowledges no beat of theirs
 */
record Opinions(int voter, long incarnation, long sequence, List<Suspicion> suspicions) {
    /** Of one life of a member. */
    record Suspicion(int subject, long incarnation) {}

    /** Does an opinion with these numbers come behind all that are known? */
    boolean before(long otherIncarnation, long otherSequence) {
        return incarnation != otherIncarnation
                ? incarnation < otherIncarnation
                : sequence < otherSequence;
    }

    boolean suspects(int subject, long life) {
        for (Suspicion suspicion : suspicions) {
            if (suspicion.subject == subject && suspicion.incarnation == life) {
                return true;
            }
        }
        return false;
    }

    /** Without any about the member. */
    Opinions without(int subject) {
        return new Opinions(
                voter,
                incarnation,
                sequence,
                suspicions.stream().filter(each -> each.subject != subject).toList());
    }
}
