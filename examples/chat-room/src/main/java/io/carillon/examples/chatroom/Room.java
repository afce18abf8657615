package io.carillon.examples.chatroom;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/**
 * Who is in a room: an attribute of its application session, names by address, first come first.
 */
final class Room {
    static final String MEMBER = "member";
    private static final String MEMBERS = "members";
    private static final String HEARD = "heard";

    /** Of the container: the request is not sent again where no answer comes. */
    private static final String SEND_ONCE = "io.carillon.send-once";

    private static final int MAX_NAME = 40;

    /** The user part of the first room, and what those of the others begin with. */
    private static final String ROOM = "chat";

    private final SipApplicationSession session;
    private final SipFactory factory;
    private final URI address;

    Room(SipApplicationSession session, SipFactory factory, URI address) {
        this.session = session;
        this.factory = factory;
        this.address = address;
    }

    String id() {
        return session.getId();
    }

    /**
     * RFC 3428 4: a MESSAGE carries no Contact, so From is the only address of its sender. One that
     * is this room's own would make it talk to itself for ever; and anybody can write another's
     * there, to whom the room would then talk. So it has to be where the message came from, or at
     * this server, whose registrar knows better; or the sender has proved who he is. Another room
     * of ours is no sender: rooms that are members of each other would never come to an end.
     *
     * @param own hosts that are this server: its addresses and names, in small letters
     */
    static boolean canBeReached(SipServletRequest message, Set<String> own) {
        URI from = message.getFrom().getURI();
        if (!from.isSipURI() || !message.getRequestURI().isSipURI()) {
            return false;
        }
        String user = ((SipURI) from).getUser();
        if (user == null || user.equals(((SipURI) message.getRequestURI()).getUser())) {
            return false;
        }
        SipURI sender = (SipURI) from;
        String host = sender.getMAddrParam() == null ? sender.getHost() : sender.getMAddrParam();
        boolean ours = own.contains(host.toLowerCase(Locale.ROOT));
        if (ours && (user.equals(ROOM) || user.startsWith(ROOM + "-"))) {
            return false;
        }
        return ours
                || message.getRemoteUser() != null
                || bare(host).equals(message.getInitialRemoteAddr());
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    @SuppressWarnings("unchecked") // only this class writes the attribute
    Map<String, String> members() {
        Object members = session.getAttribute(MEMBERS);
        return members == null ? Map.of() : (Map<String, String>) members;
    }

    /** Returns the name that the others see. */
    String join(Address from, boolean proved) {
        String display = from.getDisplayName();
        String name = display == null ? ((SipURI) from.getURI()).getUser() : display;
        name = name.replaceAll("\\p{Cntrl}", "").strip();
        name = name.substring(0, Math.min(name.length(), MAX_NAME));
        Map<String, String> members = new LinkedHashMap<>(members());
        members.put(from.getURI().toString(), name);
        session.setAttribute(MEMBERS, members);
        if (proved) {
            heard(from.getURI().toString());
        }
        // Between two messages nothing goes on in a room; it must not end for that.
        session.setInvalidateWhenReady(false);
        return name;
    }

    /** The member has answered, or has proved who he is: nobody forged his address. */
    void heard(String member) {
        Set<String> heard = new HashSet<>(heard());
        if (members().containsKey(member) && heard.add(member)) {
            session.setAttribute(HEARD, heard);
        }
    }

    @SuppressWarnings("unchecked") // only this class writes the attribute
    private Set<String> heard() {
        Object heard = session.getAttribute(HEARD);
        return heard == null ? Set.of() : (Set<String>) heard;
    }

    /** Returns the member's name; null for one who is none. */
    String leave(String member) {
        Set<String> heard = new HashSet<>(heard());
        if (heard.remove(member)) {
            session.setAttribute(HEARD, heard);
        }
        Map<String, String> members = new LinkedHashMap<>(members());
        String name = members.remove(member);
        session.setAttribute(MEMBERS, members);
        session.setInvalidateWhenReady(members.isEmpty());
        return name;
    }

    void tellOthers(String sender, String text) throws ServletException, IOException {
        for (String member : members().keySet()) {
            if (!member.equals(sender)) {
                tell(member, text);
            }
        }
    }

    /**
     * Who was never heard may have nothing to do with the datagram that had his address for its
     * source: he is told once, and not again until he answers.
     */
    void tell(String member, String text) throws ServletException, IOException {
        SipServletRequest message =
                factory.createRequest(session, "MESSAGE", address, factory.createURI(member));
        message.setContent(text, "text/plain;charset=UTF-8");
        message.getSession().setAttribute(MEMBER, member);
        if (!heard().contains(member)) {
            message.setAttribute(SEND_ONCE, true);
        }
        message.send();
    }
}
