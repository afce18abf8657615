package io.carillon.servlet.turn;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Lists of a few, as nearly every call has: immutable up to two, which cost least, an ArrayList
 * from the third on. The field that holds one belongs to one thread at a time.
 */
public final class ShortList {
    private ShortList() {}

    /** The list with that one at its end: another list, or the same. */
    public static <T> List<T> with(List<T> list, T one) {
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

    /**
     * The list without that one, which need not be there: another list, or the same. Strangers can
     * make a list long where many calls share an application session, so it is not searched from
     * end to end for each that ends.
     *
     * @param number by which the list is ordered, as a rule
     */
    public static <T> List<T> without(List<T> list, T one, ToIntFunction<T> number) {
        if (list instanceof ArrayList) {
            int at = place(list, one, number);
            if (at >= 0) {
                list.remove(at);
            } else {
                list.remove(one);
            }
            return list;
        }
        if (!list.contains(one)) {
            return list;
        }
        return list.size() == 1 ? List.of() : List.of(list.get(list.getFirst() == one ? 1 : 0));
    }

    /** Where it stands in order; -1 when it does not stand there. */
    private static <T> int place(List<T> list, T one, ToIntFunction<T> number) {
        int wanted = number.applyAsInt(one);
        int low = 0;
        int high = list.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            T there = list.get(middle);
            if (there == one) {
                return middle;
            }
            if (number.applyAsInt(there) < wanted) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
