package io.carillon.examples.chatroom;

import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.util.HashMap;
import java.util.ListIterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.annotation.SipApplicationKey;

/**
 * Chat rooms for MESSAGE (RFC 3428). A room is an application session whose key is the user part of
 * the Request-URI, so all that is said in one room is handled one after the other and needs no
 * lock.
 */
public class ChatServlet extends SipServlet implements SipApplicationSessionListener {
    private static final long serialVersionUID = 1L;
    private static final String HELP =
            "/join, /leave, /list, /help; all else is said to the others";

    @Resource private transient SipFactory factory;

    /** Who opened each room that has members, by the id of its session; under its own lock. */
    private final transient Map<String, String> openRooms = new HashMap<>();

    private transient Addresses addresses;
    private transient Share rooms;
    private transient Share members;
    private int maxUnproved;
    private int maxBytes;

    /** Sip.xml needs no word about this: the container finds the annotation. */
    @SipApplicationKey
    public static String room(SipServletRequest request) {
        return request.getRequestURI().isSipURI()
                ? String.valueOf(((SipURI) request.getRequestURI()).getUser())
                : "none";
    }

    @Override
    public void init() throws ServletException {
        rooms = new Share(limit("max-rooms"), limit("share-percent"));
        members = new Share(limit("max-members"), limit("share-percent"));
        maxUnproved = limit("max-unproved");
        maxBytes = limit("max-bytes");
        addresses = new Addresses(getServletContext());
    }

    private int limit(String name) throws ServletException {
        String text = getServletContext().getInitParameter(name);
        if (text == null || !text.trim().matches("[1-9][0-9]{0,6}")) {
            throw new ServletException(name + " must be a number from 1 up, not '" + text + "'");
        }
        return Integer.parseInt(text.trim());
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        String method = request.getMethod();
        if (method.equals("MESSAGE") || method.equals("ACK") || method.equals("CANCEL")) {
            super.doRequest(request);
            return;
        }
        SipServletResponse response = request.createResponse(method.equals("OPTIONS") ? 200 : 405);
        response.setHeader("Allow", "MESSAGE, OPTIONS");
        response.setHeader("Accept", "text/plain");
        response.send();
    }

    @Override
    protected void doMessage(SipServletRequest message) throws ServletException, IOException {
        if (refused(message)) {
            return;
        }
        String said;
        try {
            said = Room.line((String) message.getContent());
        } catch (UnsupportedEncodingException e) {
            answer(message, 415, "Unknown Charset");
            return;
        }
        Room room = new Room(message.getApplicationSession(), factory, addresses);
        String sender = room.member(message.getFrom().getURI());
        String word = said.split("\\s", 2)[0].toLowerCase(Locale.ROOT);
        switch (word) {
            case "/leave":
                answer(message, 200, null);
                leave(room, sender, "has left");
                break;
            case "/list":
                answer(message, room.members().containsKey(sender) ? 200 : 403, null);
                room.tell(sender, String.join(", ", room.members().values()) + " are here");
                break;
            case "/join":
                if (admitted(message, room, sender)) {
                    answer(message, 200, null);
                }
                break;
            default:
                if (word.startsWith("/")) {
                    answer(message, room.members().containsKey(sender) ? 200 : 403, null);
                    room.tell(sender, HELP);
                } else if (admitted(message, room, sender)) {
                    pass(message, room, sender, said);
                }
        }
    }

    /**
     * RFC 3428 7: 200 says that the message has reached whom it was for, 202 that it was taken to
     * be passed on.
     */
    private static void pass(SipServletRequest message, Room room, String sender, String said)
            throws ServletException, IOException {
        Map<String, String> members = room.members();
        answer(message, members.size() > 1 ? 202 : 200, null);
        room.tellOthers(sender, members.get(sender) + ": " + said);
    }

    private boolean admitted(SipServletRequest message, Room room, String sender)
            throws ServletException, IOException {
        boolean proved = Source.isProved(message);
        String source = Source.of(message);
        if (room.members().containsKey(sender)) {
            if (proved && room.proved(sender)) {
                room.tellOthers(sender, "* " + room.members().get(sender) + " has joined");
            }
            return true;
        }
        if (!room.admits(source, members)) {
            answer(message, 486, "The Room Is Full");
            return false;
        }
        if (!proved && room.unprovedOf(source) >= maxUnproved) {
            // What is said goes to each of them, and perhaps none of them has asked for it.
            answer(message, 486, "Too Many From There");
            return false;
        }
        if (room.members().isEmpty() && !open(room.id(), source)) {
            SipServletResponse busy = message.createResponse(503, "Too Many Rooms");
            busy.setHeader("Retry-After", "60");
            busy.send();
            return false;
        }
        if (room.members().isEmpty()) {
            room.openedAt((SipURI) message.getRequestURI());
        }
        boolean user = message.getRemoteUser() != null;
        String name = room.join(message.getFrom(), source, proved, user);
        if (proved) {
            room.tellOthers(sender, "* " + name + " has joined");
        }
        return true;
    }

    private boolean open(String room, String source) {
        synchronized (openRooms) {
            boolean fits = rooms.admits(openRooms.values(), source);
            if (fits) {
                openRooms.put(room, source);
            }
            return fits;
        }
    }

    private void close(String room) {
        synchronized (openRooms) {
            openRooms.remove(room);
        }
    }

    private void leave(Room room, String member, String how) throws ServletException, IOException {
        boolean known = room.isProved(member);
        String name = room.leave(member);
        if (name != null && known) {
            room.tellOthers(member, "* " + name + " " + how);
        }
        if (room.members().isEmpty()) {
            close(room.id());
        }
    }

    private boolean refused(SipServletRequest message) throws IOException {
        String type = message.getContentType();
        final SipServletResponse no;
        if (message.getHeader(Room.BY_A_ROOM) != null) {
            // However it came here, over a registrar, a proxy or another server: rooms that hear
            // each other never come to an end. The room that said it loses us as a member.
            no = message.createResponse(482, "Said By A Room");
        } else if (message.getHeader("Require") != null) {
            no = message.createResponse(420);
            String unknown = unknown(message);
            if (!unknown.isEmpty()) {
                no.setHeader("Unsupported", unknown);
            }
        } else if (message.getHeader("Content-Encoding") != null) {
            no = message.createResponse(415);
            no.setHeader("Accept-Encoding", "identity");
        } else if (message.getContentLength() > maxBytes) {
            no = message.createResponse(413);
        } else if (type == null || !type.toLowerCase(Locale.ROOT).matches("text/plain\\s*(;.*)?")) {
            no = message.createResponse(415);
            no.setHeader("Accept", "text/plain");
        } else if (!addresses.isHere(message)) {
            no = message.createResponse(404);
        } else if (!Room.hasAddress(message) || !Room.canBeReached(message, addresses.own())) {
            no = message.createResponse(403, "The Sender Cannot Be Answered");
        } else {
            return false;
        }
        no.send();
        return true;
    }

    /** Each once, the first 16, none of more than 64 characters: no 420 outgrows its request. */
    private static String unknown(SipServletRequest request) {
        Set<String> named = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        ListIterator<String> tags = request.getHeaders("Require");
        while (tags.hasNext() && named.size() < 16) {
            String tag = tags.next();
            if (tag.length() <= 64) {
                named.add(tag);
            }
        }
        return String.join(", ", named);
    }

    private static void answer(SipServletRequest message, int status, String reason)
            throws IOException {
        message.createResponse(status, reason).send();
    }

    /** What became of a message that the room sent: who cannot be reached is no member any more. */
    @Override
    protected void doResponse(SipServletResponse response) throws ServletException, IOException {
        String member = (String) response.getSession().getAttribute(Room.MEMBER);
        if (response.getStatus() < 200 || member == null) {
            return;
        }
        SipApplicationSession session = response.getApplicationSession();
        response.getSession().invalidate(); // it is one message's, and would stay with the room
        Room room = new Room(session, factory, addresses);
        if (response.getStatus() < 300) {
            room.heard(member);
        } else {
            leave(room, member, "cannot be reached (" + response.getStatus() + ")");
        }
    }

    @Override
    public void sessionDestroyed(SipApplicationSessionEvent event) {
        close(event.getApplicationSession().getId());
    }

    @Override
    public void sessionCreated(SipApplicationSessionEvent event) {
        // A room begins with its first member, not with its first message.
    }

    @Override
    public void sessionExpired(SipApplicationSessionEvent event) {
        // Nothing was said for session-timeout: the room closes.
    }

    @Override
    public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {
        // The last member has left.
    }
}
