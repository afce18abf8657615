package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.turn.ShortList;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.servlet.sip.SipServletMessage;
import org.junit.jupiter.api.Test;

/**
 * Lists that a peer can make longer by a message each: what is done for one message does not grow
 * with their length. Steps are counted, not time.
 */
class LongListsTest {
    private static final int MANY = 5_000;

    private int steps;

    private <T> T counted(Class<T> type, int number) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "equals" -> {
                                        steps++;
                                        yield proxy == arguments[0];
                                    }
                                    case "hashCode" -> number * 0x9E3779B1;
                                    case "toString" -> "number " + number;
                                    default -> throw new AssertionError(method);
                                }));
    }

    private <T> List<T> many(Class<T> type) {
        return IntStream.range(0, MANY).mapToObj(i -> counted(type, i)).toList();
    }

    @Test
    void sessionsAndTimersOfOneApplicationSession() {
        List<Integer> list = List.of();
        List<Integer> all = IntStream.range(0, MANY).boxed().toList();
        for (Integer one : all) {
            list = ShortList.with(list, one);
        }
        for (int i = MANY - 1; i >= 0; i--) {
            list =
                    ShortList.without(
                            list,
                            all.get((i * 7) % MANY),
                            number -> {
                                steps++;
                                return number;
                            });
        }
        assertThat(list).isEmpty();
        // 2^13 is more than MANY.
        assertThat(steps).isLessThan(MANY * 14);
    }

    @Test
    void theListWithoutOneThatStandsInNoOrder() {
        List<Integer> list = new ArrayList<>(List.of(3, 1, 2, 0));
        assertThat(ShortList.without(list, 3, number -> number)).containsExactly(1, 2, 0);
        assertThat(ShortList.without(list, 7, number -> number)).containsExactly(1, 2, 0);
    }

    @Test
    void requestsOfADialogThatWaitForTheirAnswer() {
        OpenMessages open = new OpenMessages();
        List<SipServletMessage> all = many(SipServletMessage.class);
        all.forEach(open::add);
        assertThat(open.messages()).containsExactlyElementsOf(all);
        steps = 0;
        assertThat(open.invites()).isEmpty();
        for (SipServletMessage one : all.reversed()) {
            assertThat(open.remove(one)).isTrue();
        }
        assertThat(open.isEmpty()).isTrue();
        assertThat(open.remove(all.getFirst())).isFalse();
        assertThat(steps).isLessThan(4 * MANY);
    }

    @Test
    void visitorsWithOneEncodedUrl() {
        HttpChildren children = new HttpChildren();
        List<HttpChild> all = many(HttpChild.class);
        all.forEach(children::add);
        all.forEach(children::add);
        all.forEach(children::remove);
        assertThat(children.isEmpty()).isTrue();
        assertThat(steps).isLessThan(8 * MANY);
    }

    /** A caller and a callee of one mind: the same Call-ID and tags for each of many calls. */
    @Test
    void proxiesOnOneDialog() {
        Server server = Server.fresh(8).deploy(new Manual(), ExecutionMode.NON_BLOCKING);
        RawPeer peer = server.peer("10.0.0.2");
        for (int i = 0; i < 2 * DialogPath.MOST; i++) {
            peer.request(
                    "INVITE sip:us@10.0.0.1",
                    "<sip:x@10.0.0.2>;tag=x",
                    "<sip:us@10.0.0.1>",
                    "c" + i,
                    1,
                    "Contact: <sip:10.0.0.2>");
        }
        server.run(Duration.ofSeconds(1));
        Object path = null;
        for (ApplicationSession call : server.container.sessions().all()) {
            path = DialogPath.with(path, call.sessions().getFirst());
        }
        assertThat(server.container.callsHeld()).isEqualTo(2 * DialogPath.MOST);
        assertThat((ServletSession[]) path).hasSize(DialogPath.MOST);
    }
}
