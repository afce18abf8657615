package io.carillon.telemetry.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.observe.Tap;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who measures calls hears how long a name was looked up. */
class LookupTimesTest {
    @TempDir Path folder;

    @Test
    void aLookupCountsFromWhenItWasAskedForToNow() throws Exception {
        List<String> heard = new ArrayList<>();
        CallListener listener =
                (CallListener)
                        Proxy.newProxyInstance(
                                CallListener.class.getClassLoader(),
                                new Class<?>[] {CallListener.class},
                                (proxy, method, arguments) -> {
                                    heard.add(method.getName() + List.of(arguments));
                                    return null;
                                });
        Tap.Place place =
                (Tap.Place)
                        Proxy.newProxyInstance(
                                Tap.Place.class.getClassLoader(),
                                new Class<?>[] {Tap.Place.class},
                                (proxy, method, arguments) -> null);
        AtomicLong now = new AtomicLong(1_000);
        CallRecords records =
                CallRecords.byTurns(
                        new RecordDraft().config(),
                        folder,
                        new CallRecords.Place(
                                "n", now::get, () -> 0, peer -> false, peer -> "", false),
                        listener);
        now.set(5_000);
        records.tap().resolved(place, "call", "example.com", 2_000, 2);
        records.tap().resolved(place, "call", "example.com", 6_000, 0);
        assertThat(heard).containsExactly("resolved[true, 3000]", "resolved[false, 0]");
    }
}
