package io.carillon.servlet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.harness.Bridge;
import io.carillon.sip.bytes.ByteWriter;
import io.carillon.sip.shard.Shard;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.Test;

/**
 * An application may keep whatever it is handed. What the server uses again for the next message
 * (the arrays that messages are printed in, buffers of sockets) is reachable from none of it.
 */
class KeptObjectsTest {
    /** Keeps every message and session it ever sees, and looks at their headers. */
    private static final class Hoarder extends Bridge {
        private static final long serialVersionUID = 1L;
        private final transient List<Object> kept = new ArrayList<>();

        Hoarder() {
            super("sip:callee@10.0.0.2:5060");
        }

        private void keep(SipServletMessage message) {
            kept.add(message);
            kept.add(message.getSession());
            kept.add(message.getFrom());
            kept.add(message.getTo());
            message.getHeaderNames().forEachRemaining(name -> kept.add(message.getHeader(name)));
        }

        @Override
        protected void doRequest(SipServletRequest request)
                throws ServletException, java.io.IOException {
            keep(request);
            kept.add(request.getRequestURI());
            super.doRequest(request);
        }

        @Override
        protected void doResponse(SipServletResponse response)
                throws ServletException, java.io.IOException {
            keep(response);
            super.doResponse(response);
        }
    }

    @Test
    void noArrayThatIsUsedAgainIsReachableFromWhatAnApplicationKeeps() throws Exception {
        Hoarder hoarder = new Hoarder();
        DirectNode node = new DirectNode(hoarder);
        for (int i = 0; i < 20; i++) {
            DirectCall call = new DirectCall(node, DirectNode::receive, i);
            call.setUp();
            if (i % 2 == 0) {
                call.release();
            }
        }
        Map<Object, Boolean> reachable = reachable(hoarder.kept);
        long arrays = reachable.keySet().stream().filter(byte[].class::isInstance).count();
        assertThat(arrays).as("messages were found").isGreaterThan(50);
        assertThat(reachable.keySet())
                .as("buffers")
                .noneMatch(java.nio.Buffer.class::isInstance)
                .noneMatch(o -> o.getClass().getName().startsWith("io.netty."))
                .noneMatch(ByteWriter.class::isInstance);
        assertThat(reachable.containsKey(printedIn())).as("the array of the printer").isFalse();
    }

    /** What the walk would find if a message were given out with the array it was printed in. */
    @Test
    void theWalkFindsAnArrayBehindAMessage() throws Exception {
        Map<Object, Boolean> reachable = reachable(List.of(new Object[] {List.of(printedIn())}));
        assertThat(reachable.containsKey(printedIn())).isTrue();
    }

    /** The array that this thread prints all messages in. */
    private static byte[] printedIn() throws ReflectiveOperationException {
        Class<?> type = Class.forName("io.carillon.sip.message.PrintSpace");
        var mine = type.getDeclaredMethod("mine");
        mine.setAccessible(true);
        Field out = type.getDeclaredField("out");
        out.setAccessible(true);
        return ((ByteWriter) out.get(mine.invoke(null))).array();
    }

    /**
     * Everything behind these objects, but for the server itself: container, shards and
     * applications have every buffer behind them, and an application has no way into them.
     */
    private static Map<Object, Boolean> reachable(Collection<?> roots)
            throws ReflectiveOperationException {
        Map<Object, Boolean> seen = new IdentityHashMap<>();
        ArrayDeque<Object> open = new ArrayDeque<>(roots);
        while (!open.isEmpty()) {
            Object object = open.poll();
            if (server(object) || seen.put(object, true) != null) {
                continue;
            }
            if (object instanceof Object[] array) {
                for (int i = 0; i < Array.getLength(array); i++) {
                    add(open, array[i]);
                }
            } else if (object instanceof Collection<?> collection) {
                collection.forEach(element -> add(open, element));
            } else if (object instanceof Map<?, ?> map) {
                map.forEach((key, value) -> {
                    add(open, key);
                    add(open, value);
                });
            } else {
                fields(object, open);
            }
        }
        return seen;
    }

    private static void fields(Object object, ArrayDeque<Object> open)
            throws ReflectiveOperationException {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            if (!type.getName().startsWith("io.carillon.")) {
                continue; // the JDK's own objects hold what they were given, as collections do
            }
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    add(open, field.get(object));
                }
            }
        }
    }

    private static void add(ArrayDeque<Object> open, Object object) {
        if (object != null) {
            open.add(object);
        }
    }

    private static boolean server(Object object) {
        return Set.of(SipContainer.class, Shard.class, Application.class, NamedServlet.class)
                        .contains(object.getClass())
                || object instanceof Thread
                || object instanceof Class<?>
                || object instanceof Hoarder;
    }
}
