package io.carillon.examples.clicktocall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The streams that watch calls. A place is taken before a stream is made, so that a call never has
 * more than its places, however many ask at once. Any thread.
 */
final class Watchers {
    private final int mostPerCall;

    /** Lists that are not changed. */
    private final Map<String, List<Place>> byCall = new ConcurrentHashMap<>();

    Watchers(int mostPerCall) {
        this.mostPerCall = mostPerCall;
    }

    /** A place at a call; whoever has it leaves it. */
    final class Place {
        private final String call;
        private volatile EventStream stream;

        private Place(String call) {
            this.call = call;
        }

        /** From now on the stream is shown what happens. */
        void sit(EventStream shown) {
            stream = shown;
        }

        /** Another one may watch; more than once is once. */
        void leave() {
            byCall.computeIfPresent(
                    call,
                    (id, places) -> {
                        List<Place> left = new ArrayList<>(places);
                        left.remove(this);
                        return left.isEmpty() ? null : List.copyOf(left);
                    });
        }
    }

    /** Null when all places at this call are taken. */
    Place take(String call) {
        Place place = new Place(call);
        List<Place> now =
                byCall.compute(
                        call,
                        (id, places) -> {
                            List<Place> all = places == null ? List.of() : places;
                            if (all.size() >= mostPerCall) {
                                return all;
                            }
                            List<Place> more = new ArrayList<>(all);
                            more.add(place);
                            return List.copyOf(more);
                        });
        return now.contains(place) ? place : null;
    }

    void each(String call, Consumer<EventStream> what) {
        byCall.getOrDefault(call, List.of()).forEach(place -> seated(place, what));
    }

    void each(Consumer<EventStream> what) {
        byCall.values().forEach(places -> places.forEach(place -> seated(place, what)));
    }

    private static void seated(Place place, Consumer<EventStream> what) {
        EventStream stream = place.stream;
        if (stream != null) {
            what.accept(stream);
        }
    }
}
