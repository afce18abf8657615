package io.carillon.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Callers without a stack, who behave as phones do: an INVITE is sent again after 0.5, 1, 2 s and
 * so on until something answers; who is refused calls once more after 2 to 10 s; who is answered
 * hangs up after two seconds.
 */
final class CellCallers {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long T1 = SECOND / 2;
    private static final long IN_TIME = SECOND / 5;
    private static final int MOST_SECONDS = 600;
    private static final Pattern CALL_ID = Pattern.compile("\nCall-ID: (\\d+)");
    private static final Pattern TO = Pattern.compile("\nTo: ([^\r]*)");
    private static final Pattern CONTACT = Pattern.compile("\nContact: <([^>]*)>");
    private static final Pattern ROUTE = Pattern.compile("\nRecord-Route: ([^\r]*)");

    private static final class Call {
        final int id;
        final boolean again;
        final InetSocketAddress proxy;
        final long began;
        boolean heard;
        boolean over;

        Call(int id, boolean again, InetSocketAddress proxy, long began) {
            this.id = id;
            this.again = again;
            this.proxy = proxy;
            this.began = began;
        }
    }

    private final SimulatedNetwork network;
    private final List<InetSocketAddress> proxies;
    private final SplittableRandom random;
    private final InetSocketAddress own = SimulatedNetwork.address("10.0.1.1", 5060);
    private final Map<Integer, Call> calls = new HashMap<>();
    private final int[] asked = new int[MOST_SECONDS];
    private final int[] done = new int[MOST_SECONDS];
    private int ids;
    private int failed;
    private int answered;

    CellCallers(
            SimulatedNetwork network, List<InetSocketAddress> proxies, SplittableRandom random) {
        this.network = network;
        this.proxies = proxies;
        this.random = random;
        network.bind(own, (bytes, transport, from, to) -> receive(new String(bytes, ISO_8859_1)));
    }

    /** By second: calls that were begun. */
    int[] asked() {
        return asked;
    }

    /** By second of their beginning: calls that were answered in time. */
    int[] done() {
        return done;
    }

    /** Calls that were answered. */
    int answered() {
        return answered;
    }

    /** Calls that nothing final was heard of in 32 s. */
    int failed() {
        return failed;
    }

    void call() {
        call(false);
    }

    private void call(boolean again) {
        long now = network.time().nanoTime();
        Call call = new Call(ids++, again, proxies.get(random.nextInt(proxies.size())), now);
        calls.put(call.id, call);
        asked[second(now)]++;
        invite(call, T1);
        network.time()
                .after(
                        64 * T1,
                        () -> {
                            if (!call.over) {
                                failed++;
                                calls.remove(call.id);
                            }
                        });
    }

    private static int second(long nanos) {
        return (int) ((nanos - VirtualTime.START_NANOS) / SECOND);
    }

    private void invite(Call call, long wait) {
        send(
                call,
                "INVITE",
                "sip:x@" + call.proxy.getAddress().getHostAddress(),
                "<sip:x@cell>",
                "i",
                "");
        if (wait < 64 * T1) {
            network.time()
                    .after(
                            wait,
                            () -> {
                                if (!call.heard && calls.containsKey(call.id)) {
                                    invite(call, 2 * wait);
                                }
                            });
        }
    }

    private void send(Call call, String method, String uri, String to, String branch, String more) {
        boolean first = method.equals("INVITE") || branch.equals("i");
        String text =
                method
                        + " "
                        + uri
                        + " SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK"
                        + branch
                        + call.id
                        + "\r\nMax-Forwards: 70\r\nFrom: <sip:a@10.0.1.1>;tag=a"
                        + call.id
                        + "\r\nTo: "
                        + to
                        + "\r\nCall-ID: "
                        + call.id
                        + "\r\nCSeq: "
                        + (first || method.equals("ACK") ? 1 : 2)
                        + " "
                        + method
                        + "\r\nContact: <sip:a@10.0.1.1>\r\n"
                        + more
                        + "Content-Length: 0\r\n\r\n";
        network.send(Transport.UDP, own, call.proxy, text.getBytes(ISO_8859_1));
    }

    private static String of(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }

    private void receive(String text) {
        int status = Integer.parseInt(text.substring(8, 11));
        Call call = calls.get(Integer.parseInt(of(CALL_ID, text)));
        if (call == null || !text.contains(" INVITE\r\n")) {
            return;
        }
        call.heard = true;
        if (status >= 300) {
            send(
                    call,
                    "ACK",
                    "sip:x@" + call.proxy.getAddress().getHostAddress(),
                    of(TO, text),
                    "i",
                    "");
            refused(call);
        } else if (status >= 200) {
            String route = "Route: " + of(ROUTE, text) + "\r\n";
            String uri = of(CONTACT, text);
            String to = of(TO, text);
            send(call, "ACK", uri, to, "a", route);
            if (!call.over) {
                call.over = true;
                answered++;
                if (network.time().nanoTime() - call.began <= IN_TIME) {
                    done[second(call.began)]++;
                }
                network.time().after(2 * SECOND, () -> send(call, "BYE", uri, to, "b", route));
            }
        }
    }

    private void refused(Call call) {
        if (!call.over) {
            call.over = true;
            if (!call.again) {
                network.time().after(random.nextLong(2 * SECOND, 10 * SECOND), () -> call(true));
            }
        }
    }
}
