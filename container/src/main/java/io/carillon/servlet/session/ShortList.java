package io.carillon.servlet.session;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists of a few, as nearly every call has: immutable up to two, which cost least, an ArrayList
 * from the third on. The field that holds one belongs to one thread at a time.
 */
final class ShortList {
    private ShortList() {}

    /** The list with that one at its end: another list, or the same. */
    static <T> List<T> with(List<T> list, T one) {
        return switch (list.size()) {
            case 0 -> List.of(one);
            case 1 -> List.of(list.getFirst(), one);
            default -> {
                List<T> longer = list instanceof ArrayList ? list : new ArrayList<>(list);
                longer.add(one);
                yield longer;
            }
        };
    }

    /** The list without that one, which need not be there: another list, or the same. */
    static <T> List<T> without(List<T> list, T one) {
        if (list instanceof ArrayList) {
            list.remove(one);
            return list;
        }
        if (!list.contains(one)) {
            return list;
        }
        return list.size() == 1 ? List.of() : List.of(list.get(list.getFirst() == one ? 1 : 0));
    }
}
