package io.carillon.lab.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.carillon.sip.hop.Transport;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The SIP side of a web voice mail, scripted: connects a phone and the voice mail server by third
 * party call control (RFC 3725 flow I), subscribes to message waiting, and ends all of it when
 * either side hangs up or the page asks for it. It repeats nothing by itself. Owner: the test's
 * thread.
 */
final class VoiceMailApplication implements Trigger {
    /** One user's call. */
    private static final class Visit {
        String phone = "";
        String mail = "";
        String phoneTo = "";
        String mailTo = "";
        String subscriptionTo = "";
        boolean hungUp;
    }

    private final SimulatedLoad load;
    private final Map<String, Visit> visits = new HashMap<>();
    int messages;
    int numbers;
    boolean subscribes = true;
    String pageFails = "";

    VoiceMailApplication(SimulatedLoad load) {
        this.load = load;
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) -> received(new String(bytes, US_ASCII)));
        load.network.tap((at, fate, transport, from, to, bytes) -> {
            if (fate == io.carillon.testkit.SimulatedNetwork.Fate.SENT) {
                messages++;
            }
        });
    }

    @Override
    public void call(String phone, String mail, boolean counted, Consumer<String> failed) {
        if (!pageFails.isEmpty()) {
            load.time.after(1_000_000, () -> failed.accept(pageFails));
            return;
        }
        Visit visit = new Visit();
        visit.phone = phone;
        visit.mail = mail;
        String id = "v" + ++numbers;
        visits.put(id, visit);
        request("INVITE", phone, id + "-p", 1, "<" + phone + ">", "");
    }

    @Override
    public void hangUp(String phone, String mail, boolean counted, Consumer<String> failed) {
        visits.forEach((id, visit) -> {
            if (visit.phone.equals(phone)) {
                bye(id, visit, true, true);
            }
        });
    }

    private void bye(String id, Visit visit, boolean phone, boolean mail) {
        if (visit.hungUp) {
            return;
        }
        visit.hungUp = true;
        if (phone) {
            request("BYE", visit.phone, id + "-p", 2, visit.phoneTo, "");
        }
        if (mail) {
            request("BYE", visit.mail, id + "-m", 2, visit.mailTo, "");
        }
        request("SUBSCRIBE", visit.mail, id + "-s", 2, visit.subscriptionTo, "Expires: 0\r\n");
    }

    private void received(String message) {
        String callId = header(message, "Call-ID");
        String id = callId.substring(0, callId.indexOf('-'));
        char leg = callId.charAt(callId.length() - 1);
        Visit visit = visits.get(id);
        if (message.startsWith("SIP/2.0")) {
            answered(message, visit, id, leg);
            return;
        }
        send(ScriptedAnswers.answer(message, "200 OK", ""));
        if (message.startsWith("BYE")) {
            bye(id, visit, leg != 'p', leg != 'm');
        }
    }

    private void answered(String response, Visit visit, String id, char leg) {
        boolean ok = response.startsWith("SIP/2.0 200");
        String method = header(response, "CSeq").split(" ")[1];
        String to = header(response, "To");
        if (ok && method.equals("INVITE") && leg == 'p') {
            visit.phoneTo = to;
            request("INVITE", visit.mail, id + "-m", 1, "<" + visit.mail + ">", "");
        } else if (ok && method.equals("INVITE")) {
            visit.mailTo = to;
            request("ACK", visit.mail, id + "-m", 1, to, "");
            request("ACK", visit.phone, id + "-p", 1, visit.phoneTo, "");
            if (subscribes) {
                request("SUBSCRIBE", visit.mail, id + "-s", 1, "<" + visit.mail + ">", "");
            }
        } else if (ok && method.equals("SUBSCRIBE")) {
            visit.subscriptionTo = to;
        }
    }

    private void request(
            String method, String uri, String callId, int cseq, String to, String more) {
        send(
                ("%s %s SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.9.1:5060;branch=z9hG4bK%s%s%d\r\n"
                                + "From: <sip:application@10.0.9.1>;tag=app\r\nTo: %s\r\nCall-ID: %s\r\nCSeq: %d %s\r\n"
                                + "Contact: <sip:application@10.0.9.1:5060>\r\nMax-Forwards: 70\r\n%sContent-Length: 0\r\n\r\n")
                        .formatted(
                                method, uri, callId, method, cseq, to, callId, cseq, method, more)
                        .getBytes(US_ASCII));
    }

    private void send(byte[] bytes) {
        load.network.send(Transport.UDP, SimulatedLoad.SERVER, SimulatedLoad.CALLEE, bytes);
    }

    private static String header(String message, String name) {
        return message.lines()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .collect(Collectors.joining());
    }
}
