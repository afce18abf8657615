package io.carillon.protection;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.NetworkConfig;
import io.carillon.net.guard.Guard;
import io.carillon.net.guard.GuardConfig;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.OwnMarks;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every limit reaches the part that keeps it: none is only a number of a record. */
class ProtectionTest {
    private static final long HEAP = 64L << 30;

    @Test
    void everyLimitReachesAPart() throws Exception {
        String standard = parts(Protections.standard());
        assertThat(parts(Protections.standard())).isEqualTo(standard);
        Set<String> lost = new TreeSet<>();
        List<Changed> all = changes(Protections.standard());
        assertThat(all).hasSizeGreaterThan(40);
        for (Changed one : all) {
            if (parts((Protections) one.limits()).equals(standard)) {
                lost.add(one.name());
            }
        }
        assertThat(lost).isEmpty();
    }

    private record Changed(String name, Record limits) {}

    /** The limits with one of them changed, for each of them. */
    private static List<Changed> changes(Record limits) throws Exception {
        RecordComponent[] components = limits.getClass().getRecordComponents();
        List<Changed> all = new ArrayList<>();
        for (int i = 0; i < components.length; i++) {
            Object value = components[i].getAccessor().invoke(limits);
            String name = components[i].getName();
            if (value instanceof Record inner) {
                for (Changed one : changes(inner)) {
                    all.add(
                            new Changed(
                                    name + '.' + one.name(),
                                    with(limits, components, i, one.limits())));
                }
            } else {
                all.add(new Changed(name, with(limits, components, i, other(value))));
            }
        }
        return all;
    }

    private static Record with(Record limits, RecordComponent[] components, int index, Object value)
            throws Exception {
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = i == index ? value : components[i].getAccessor().invoke(limits);
        }
        var constructor = limits.getClass().getDeclaredConstructor(types);
        return (Record) constructor.newInstance(values);
    }

    private static Object other(Object value) {
        return switch (value) {
            case Integer number -> number > 16 ? number - 8 : number + 8;
            case Long number -> number + 8;
            case Boolean flag -> !flag;
            // Some are told in whole seconds.
            case Duration time -> time.plusMillis(1_007);
            case AddressRanges ranges -> AddressRanges.of(List.of("192.0.2.0/24"));
            default -> List.of("somebody");
        };
    }

    /** What stack, network and container were told. */
    private static String parts(Protections limits) throws Exception {
        Protection protection = new Protection(limits, HEAP, Protection.Others.NONE);
        NetworkConfig network =
                NetworkConfig.of(
                        List.of(new ListeningPoint(Transport.UDP, "127.0.0.1", 0, null, 0)));
        try (ApplicationThreads threads = ApplicationThreads.virtual()) {
            SipContainer container =
                    new SipContainer(
                            protection.container(ContainerConfig.defaults()),
                            threads,
                            SessionStores.inMemory());
            protection.limit(container);
            Guard guard = protection.guard();
            return new Description()
                    .add(guard.config())
                    .add(protection.stack(2, guard).build())
                    .add(protection.network(network).stream())
                    .add(container.sessions())
                    .add(container.keptAddresses())
                    .add(container.rooms())
                    .add(container.settings())
                    .add(container.security())
                    .add(container.features().handlerLoads())
                    .toString();
        }
    }

    /** Numbers and texts of an object and of what it holds. */
    private static final class Description {
        private final StringBuilder text = new StringBuilder();
        private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

        Description add(Object value) throws IllegalAccessException {
            if (value instanceof Number
                    || value instanceof String
                    || value instanceof Boolean
                    || value instanceof Enum<?>
                    || value instanceof List<?>) {
                text.append(value).append(' ');
            } else if (value instanceof long[] ranges && ranges.length < 10) {
                for (long one : ranges) {
                    text.append(one).append(' ');
                }
            } else if (isOurs(value) && seen.add(value)) {
                for (Field field : value.getClass().getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        field.setAccessible(true);
                        text.append(field.getName()).append('=');
                        add(field.get(value));
                    }
                }
            }
            return this;
        }

        /** Keys and seeds are others each time. */
        private static boolean isOurs(Object value) {
            return value != null
                    && value.getClass().getName().startsWith("io.carillon.")
                    && !value.getClass().isHidden()
                    && !(value instanceof OwnMarks)
                    && !(value instanceof Guard)
                    && !value.getClass().getSimpleName().matches("Sip.*|.*Tokens|.*Table.*Map");
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }

    @Test
    void aSmallHeapBoundsWhatConnectionsMayHold() {
        Protection small =
                new Protection(Protections.standard(), 64L << 20, Protection.Others.NONE);
        NetworkConfig network =
                small.network(
                        NetworkConfig.of(
                                List.of(
                                        new ListeningPoint(
                                                Transport.UDP, "127.0.0.1", 0, null, 0))));
        // A sixteenth of the heap at 3 KiB each, and a 32nd for unfinished messages.
        assertThat(network.stream().maxConnections()).isEqualTo((64 << 20) / 16 / 3072);
        assertThat(network.stream().unfinishedMessagesBytes()).isEqualTo((64L << 20) / 32);
    }

    @Test
    void nobodyButWhoIsTrustedIsListenedToWithoutARate() {
        GuardConfig guard = Protections.standard().guard();
        assertThat(guard.trusted().isEmpty()).isFalse();
        assertThat(guard.datagramRate().perSecond()).isPositive();
        assertThat(guard.connectionsPerAddress()).isPositive();
        assertThat(guard.bans().banAfter()).isPositive();
    }
}
