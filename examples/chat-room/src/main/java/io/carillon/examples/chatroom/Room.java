package io.carillon.examples.chatroom;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletParseException;
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
    private static final String ADDRESS = "address";

    /** For whom each member counts, by his address. */
    private static final String SOURCES = "sources";

    /** Addresses of members that another may have written. */
    private static final String UNPROVED = "unproved";

    /** Of the container: the request is not sent again where no answer comes. */
    private static final String SEND_ONCE = "io.carillon.send-once";

    /** In all that a room says, and in nothing that a room passes on. */
    static final String BY_A_ROOM = "Chat-Room";

    private static final int MAX_NAME = 40;

    /** Characters of an address: each member's is kept, and stands in what he is told. */
    private static final int MAX_ADDRESS = 200;

    /** The user part of the first room, and what those of the others begin with. */
    private static final String ROOM = "chat";

    private final SipApplicationSession session;
    private final SipFactory factory;
    private final Addresses addresses;

    Room(SipApplicationSession session, SipFactory factory, Addresses addresses) {
        this.session = session;
        this.factory = factory;
        this.addresses = addresses;
    }

    /** From here on all that the room says is from that user, host and port. */
    void openedAt(SipURI asked) {
        SipURI own = factory.createSipURI(asked.getUser(), asked.getHost());
        own.setPort(asked.getPort());
        session.setAttribute(ADDRESS, own.toString());
    }

    /** The address of the member who is that user, however it is written; else the address. */
    String member(URI from) throws ServletParseException {
        String text = from.toString();
        if (members().containsKey(text)) {
            return text;
        }
        String who = addresses.of(from);
        for (String member : members().keySet()) {
            if (addresses.of(factory.createURI(member)).equals(who)) {
                return member;
            }
        }
        return text;
    }

    String id() {
        return session.getId();
    }

    /** RFC 3428 4: a MESSAGE carries no Contact, so From is the only address of its sender. */
    static boolean hasAddress(SipServletRequest message) {
        URI from = message.getFrom().getURI();
        URI to = message.getRequestURI();
        if (!from.isSipURI() || !to.isSipURI()) {
            return false;
        }
        String user = ((SipURI) from).getUser();
        // One that is this room's own would make it talk to itself for ever.
        return user != null
                && !user.equals(((SipURI) to).getUser())
                && from.toString().length() <= MAX_ADDRESS
                && to.toString().length() <= MAX_ADDRESS
                && isPlain((SipURI) from);
    }

    /** RFC 3261 19.1.1: a From has no parameter that says how to get there, and no headers. */
    private static boolean isPlain(SipURI from) {
        Iterator<String> parameters = from.getParameterNames();
        boolean plain = !from.getHeaderNames().hasNext();
        while (parameters.hasNext() && plain) {
            plain = parameters.next().equalsIgnoreCase("user");
        }
        return plain;
    }

    /**
     * Anybody can write another's address into From, to whom the room would then talk. So it has to
     * be where the message came from, or at a port where this server listens, whose registrar knows
     * better; or the sender has proved who he is. Another room of ours is no sender: rooms that are
     * members of each other would never come to an end.
     *
     * @param own this server: hosts, in small letters, with the ports of its listening points; the
     *     names of its domains have none
     */
    static boolean canBeReached(SipServletRequest message, Map<String, Set<Integer>> own) {
        SipURI from = (SipURI) message.getFrom().getURI();
        String host = from.getHost().toLowerCase(Locale.ROOT);
        if (bare(host).equals(message.getInitialRemoteAddr())) {
            return !own.containsKey(host) || !isRoom(from);
        }
        if (!own.containsKey(host)) {
            return message.getRemoteUser() != null;
        }
        int port = from.getPort() >= 0 ? from.getPort() : from.isSecure() ? 5061 : 5060;
        boolean domain = own.get(host).isEmpty() && from.getPort() < 0;
        return !isRoom(from) && (domain || own.get(host).contains(port));
    }

    private static boolean isRoom(SipURI uri) {
        return uri.getUser().equals(ROOM) || uri.getUser().startsWith(ROOM + "-");
    }

    static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** What people write goes on as one line: what is behind it begins no other. */
    static String line(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]+", " ").strip();
    }

    @SuppressWarnings("unchecked") // only this class writes the attribute
    Map<String, String> members() {
        Object members = session.getAttribute(MEMBERS);
        return members == null ? Map.of() : (Map<String, String>) members;
    }

    @SuppressWarnings("unchecked") // only this class writes the attribute
    private Map<String, String> sources() {
        Object sources = session.getAttribute(SOURCES);
        return sources == null ? Map.of() : (Map<String, String>) sources;
    }

    @SuppressWarnings("unchecked") // only this class writes the attribute
    private Set<String> unproved() {
        Object unproved = session.getAttribute(UNPROVED);
        return unproved == null ? Set.of() : (Set<String>) unproved;
    }

    /** Has that source room for one more member? */
    boolean admits(String source, Share members) {
        return members.admits(sources().values(), source);
    }

    /** How many of that source's members have not proved who they are. */
    long unprovedOf(String source) {
        Map<String, String> sources = sources();
        return unproved().stream().filter(member -> source.equals(sources.get(member))).count();
    }

    boolean isProved(String member) {
        return !unproved().contains(member);
    }

    /** The member has proved who he is. False when that is nothing new. */
    boolean proved(String member) {
        Set<String> unproved = new HashSet<>(unproved());
        boolean news = unproved.remove(member);
        if (news) {
            session.setAttribute(UNPROVED, unproved);
        }
        return news;
    }

    /**
     * Returns the name that the others see.
     *
     * @param source for whom he counts
     * @param proved whether he surely is at that address
     * @param user whether he has shown credentials: no welcome is needed to find him
     */
    String join(Address from, String source, boolean proved, boolean user)
            throws ServletException, IOException {
        String display = from.getDisplayName();
        String name = display == null ? ((SipURI) from.getURI()).getUser() : display;
        name = line(name);
        name = name.substring(0, Math.min(name.length(), MAX_NAME));
        Map<String, String> members = new LinkedHashMap<>(members());
        members.put(from.getURI().toString(), name);
        session.setAttribute(MEMBERS, members);
        Map<String, String> sources = new HashMap<>(sources());
        sources.put(from.getURI().toString(), source);
        session.setAttribute(SOURCES, sources);
        if (!proved) {
            Set<String> unproved = new HashSet<>(unproved());
            unproved.add(from.getURI().toString());
            session.setAttribute(UNPROVED, unproved);
        }
        // Between two messages nothing goes on in a room; it must not end for that.
        session.setInvalidateWhenReady(false);
        if (user) {
            heard(from.getURI().toString());
        } else {
            welcome(from.getURI());
        }
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
        proved(member);
        Map<String, String> sources = new HashMap<>(sources());
        if (sources.remove(member) != null) {
            session.setAttribute(SOURCES, sources);
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
     * The sender's address may be forged, and then whoever has it never answers: he is told once
     * that he is here, not again, and nothing else.
     */
    private void welcome(URI member) throws ServletException, IOException {
        SipServletRequest message = message(member, "* you are in this room");
        message.setAttribute(SEND_ONCE, true);
        message.send();
    }

    /** Nothing, where the member was never heard. */
    void tell(String member, String text) throws ServletException, IOException {
        if (heard().contains(member)) {
            message(factory.createURI(member), text).send();
        }
    }

    private SipServletRequest message(URI member, String text)
            throws ServletException, IOException {
        URI address = factory.createURI((String) session.getAttribute(ADDRESS));
        SipServletRequest message = factory.createRequest(session, "MESSAGE", address, member);
        message.setContent(text, "text/plain;charset=UTF-8");
        message.setHeader(BY_A_ROOM, "yes");
        message.getSession().setAttribute(MEMBER, member.toString());
        return message;
    }
}
