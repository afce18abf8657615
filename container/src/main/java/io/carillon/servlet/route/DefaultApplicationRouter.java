package io.carillon.servlet.route;

import java.io.Serializable;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.ar.SipApplicationRouter;
import javax.servlet.sip.ar.SipApplicationRouterInfo;
import javax.servlet.sip.ar.SipApplicationRoutingDirective;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import javax.servlet.sip.ar.SipRouteModifier;
import javax.servlet.sip.ar.SipTargetedRequestInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The default application router (JSR 289, appendix C): a properties file says which applications a
 * method visits in which order; without a file they are visited in the order of their deployment.
 *
 * <p>State information is the place in the list. CONTINUE and REVERSE both go on behind it, NEW
 * begins at the front, where an application does not get the request it has just sent. One that
 * stands in the list twice in a row is visited twice: for two regions, for example. Entries whose
 * application is not deployed are passed over. The answer is never null: no application is a null
 * name.
 *
 * <p>Any thread may ask; deployments are told by one thread at a time.
 */
public final class DefaultApplicationRouter implements SipApplicationRouter {
    /** System property: file name or {@code file:} URI of the properties file. */
    public static final String FILE_PROPERTY = "javax.servlet.sip.dar";

    /** The same by the name that other servers read; {@link #FILE_PROPERTY} wins. */
    public static final String OTHER_FILE_PROPERTY = "javax.servlet.sip.ar.dar.configuration";

    private static final Logger LOG = LoggerFactory.getLogger(DefaultApplicationRouter.class);
    private static final SipApplicationRouterInfo NOBODY =
            new SipApplicationRouterInfo(null, null, null, null, SipRouteModifier.NO_ROUTE, null);

    /**
     * A deployed application; the number only grows, so a place stays right while others come and
     * go.
     */
    private record Deployed(String name, int number, SipApplicationRouterInfo info) {}

    /**
     * An entry that was looked at.
     *
     * @param line of the file; 0 without a file
     * @param method the list it stands in: a method, or ALL
     * @param application empty for an entry that only routes on
     * @param taken or passed over
     * @param reason why
     */
    public record Considered(
            int line, String method, String application, boolean taken, String reason) {}

    private final @Nullable Path configured;
    private volatile Stamp stamp = Stamp.NONE;
    private volatile @Nullable DarFile file;
    private volatile List<Deployed> deployed = List.of();
    private int deployments;

    /**
     * @param file properties file; null: the one that the system property {@value #FILE_PROPERTY}
     *     names, if it is set
     */
    public DefaultApplicationRouter(@Nullable Path file) {
        this.configured = file;
    }

    @Override
    public void init() {
        Path path = path();
        Stamp seen = Stamp.of(path);
        file = path == null ? null : DarFile.read(path);
        stamp = seen;
    }

    /** The properties may hold the entries themselves, by method. */
    @Override
    public void init(@Nullable Properties properties) {
        if (properties == null || properties.isEmpty()) {
            init();
            return;
        }
        StringBuilder content = new StringBuilder();
        for (String method : properties.stringPropertyNames()) {
            content.append(method)
                    .append('=')
                    .append(properties.getProperty(method).replace("\\", "\\\\").replace("\n", " "))
                    .append('\n');
        }
        file = DarFile.parse("properties", content.toString());
    }

    private @Nullable Path path() {
        if (configured != null) {
            return configured;
        }
        String property = FILE_PROPERTY;
        String named = System.getProperty(property);
        if (named == null || named.isBlank()) {
            property = OTHER_FILE_PROPERTY;
            named = System.getProperty(property);
        }
        if (named == null || named.isBlank()) {
            return null;
        }
        try {
            return named.startsWith("file:") ? Path.of(URI.create(named)) : Path.of(named);
        } catch (IllegalArgumentException e) {
            throw new RouterException(
                    "-D" + property + "=" + named, 0, "is neither a file name nor a file: URI", e);
        }
    }

    @Override
    public void destroy() {
        deployed = List.of();
        file = null;
    }

    @Override
    public synchronized void applicationDeployed(List<String> names) {
        List<Deployed> now = new ArrayList<>(deployed);
        for (String name : names) {
            // A new version takes the place of the old one in the order.
            if (now.stream().noneMatch(old -> old.name().equals(name))) {
                int number = ++deployments;
                now.add(new Deployed(name, number, plain(name, number)));
            }
        }
        deployed = List.copyOf(now);
        readAgain();
    }

    @Override
    public synchronized void applicationUndeployed(List<String> names) {
        deployed = deployed.stream().filter(old -> !names.contains(old.name())).toList();
    }

    /**
     * JSR 289 appendix C: the file is read at init and again at each deployment. One that broke in
     * between is reported and the old rules stay.
     */
    private void readAgain() {
        try {
            reload();
        } catch (RouterException e) {
            LOG.error(
                    "the router file was changed and is wrong; its old rules stay: {}",
                    e.getMessage());
        }
    }

    /**
     * Reads the file again; calls in progress keep their way.
     *
     * @return false when there is no file to read
     * @throws RouterException naming file and line; the old rules stay
     */
    public synchronized boolean reload() {
        Path path = path();
        if (path == null || file == null) {
            return false;
        }
        Stamp seen = Stamp.of(path);
        stamp = seen; // one that is wrong is told once, not at every look
        file = DarFile.read(path);
        return true;
    }

    /** Reads the file again when it was written to since it was read; else as {@link #reload}. */
    public boolean reloadIfChanged() {
        Path path = path();
        if (path == null || file == null || Stamp.of(path).equals(stamp)) {
            return false;
        }
        return reload();
    }

    /** A sentence for each name in the file that no deployed application bears. */
    public List<String> notDeployed() {
        DarFile rules = file;
        Path path = path();
        List<String> sentences = new ArrayList<>();
        Set<String> told = new HashSet<>();
        for (DarEntry entry : rules == null ? List.<DarEntry>of() : rules.all()) {
            String name = entry.application();
            if (!name.isEmpty() && !isDeployed(name) && told.add(name)) {
                sentences.add(
                        (path == null ? "properties" : path)
                                + ":"
                                + entry.line()
                                + ": application '"
                                + name
                                + "' is not deployed and is passed over; there are "
                                + deployed.stream().map(Deployed::name).toList());
            }
        }
        return sentences;
    }

    /** The file whose rules hold; null for the order of deployment. */
    public @Nullable Path source() {
        return file == null ? null : path();
    }

    /** As {@link #getNextApplication} for a request that the named application sends. */
    public SipApplicationRouterInfo next(
            SipServletRequest request, @Nullable Serializable stateInfo, @Nullable String sender) {
        int place = stateInfo instanceof Integer number ? number : 0;
        DarFile rules = file;
        return rules == null
                ? inDeploymentOrder(place, sender)
                : byRules(rules, request, place, sender);
    }

    /** What {@link #next} looks at for its answer. */
    public List<Considered> consider(
            SipServletRequest request, @Nullable Serializable stateInfo, @Nullable String sender) {
        int place = stateInfo instanceof Integer number ? number : 0;
        DarFile rules = file;
        if (rules == null) {
            String next = inDeploymentOrder(place, sender).getNextApplicationName();
            return next == null
                    ? List.of()
                    : List.of(new Considered(0, "", next, true, "next in the order of deployment"));
        }
        RouterTrace trace = new RouterTrace(this, request, place == 0 ? sender : null);
        boolean done =
                place >= 0
                        && (trace.search(
                                        request.getMethod(),
                                        rules.entries(request.getMethod()),
                                        place)
                                || place > 0);
        if (!done) {
            trace.search(DarFile.ANY_METHOD, rules.entries(DarFile.ANY_METHOD), -place);
        }
        return List.copyOf(trace.seen());
    }

    @Override
    public SipApplicationRouterInfo getNextApplication(
            SipServletRequest request,
            @Nullable SipApplicationRoutingRegion region,
            @Nullable SipApplicationRoutingDirective directive,
            @Nullable SipTargetedRequestInfo target,
            @Nullable Serializable stateInfo) {
        int place =
                directive != SipApplicationRoutingDirective.NEW
                                && stateInfo instanceof Integer number
                        ? number
                        : 0;
        String sender = sender(request);
        DarFile rules = file;
        if (target != null && isDeployed(target.getApplicationName())) {
            return targeted(request, target.getApplicationName(), rules);
        }
        return rules == null
                ? inDeploymentOrder(place, sender)
                : byRules(rules, request, place, sender);
    }

    /**
     * JSR 289, 15.11: a targeted request goes to its application; what follows is as if the
     * application had been reached by the list.
     */
    private SipApplicationRouterInfo targeted(
            SipServletRequest request, String application, @Nullable DarFile rules) {
        if (rules != null) {
            DarEntry[] entries = rules.entries(request.getMethod());
            for (int i = 0; i < entries.length; i++) {
                if (entries[i].application().equals(application)) {
                    return info(entries[i], request, i + 1);
                }
            }
        }
        return plain(application, rules == null ? numberOf(application) : 0);
    }

    /**
     * Is there certainly nobody behind that place? Asked before every request that leaves an
     * application: cheap, and true in the usual case.
     *
     * @param sender the application that sends
     * @param stateInfo as for {@link #getNextApplication}; null to begin at the front
     */
    public boolean atEnd(String method, String sender, @Nullable Serializable stateInfo) {
        int place = stateInfo instanceof Integer number ? number : 0;
        DarFile rules = file;
        if (rules == null) {
            List<Deployed> all = deployed;
            return all.isEmpty() || all.getLast().number() <= Math.max(place, numberOf(sender));
        }
        String passedOver = place == 0 ? sender : null;
        return (place < 0 || nobody(rules.entries(method), place, passedOver))
                && (place > 0 || nobody(rules.entries(DarFile.ANY_METHOD), -place, passedOver));
    }

    private boolean nobody(DarEntry[] entries, int from, @Nullable String passedOver) {
        for (int i = from; i < entries.length; i++) {
            if (open(entries[i], passedOver)) {
                return false;
            }
        }
        return true;
    }

    private boolean open(DarEntry entry, @Nullable String passedOver) {
        String name = entry.application();
        return name.isEmpty() || (!name.equals(passedOver) && isDeployed(name));
    }

    private SipApplicationRouterInfo inDeploymentOrder(int place, @Nullable String sender) {
        int after = Math.max(place, sender == null ? 0 : numberOf(sender));
        List<Deployed> all = deployed;
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).number() > after) {
                return all.get(i).info();
            }
        }
        return NOBODY;
    }

    /**
     * Places are positive in the method's own list and negative in that of ALL, which is asked when
     * the method's own has nothing from the begin.
     */
    private SipApplicationRouterInfo byRules(
            DarFile rules, SipServletRequest request, int place, @Nullable String sender) {
        // Behind a place even the sender's next entry is another visit.
        String passedOver = place == 0 ? sender : null;
        if (place >= 0) {
            SipApplicationRouterInfo found =
                    search(rules.entries(request.getMethod()), place, 1, request, passedOver);
            if (found != null || place > 0) {
                return found == null ? NOBODY : found;
            }
        }
        SipApplicationRouterInfo found =
                search(rules.entries(DarFile.ANY_METHOD), -place, -1, request, passedOver);
        return found == null ? NOBODY : found;
    }

    private @Nullable SipApplicationRouterInfo search(
            DarEntry[] entries,
            int from,
            int sign,
            SipServletRequest request,
            @Nullable String passedOver) {
        for (int i = from; i < entries.length; i++) {
            DarEntry entry = entries[i];
            if (open(entry, passedOver) && entry.condition().holds(request)) {
                return info(entry, request, sign * (i + 1));
            }
        }
        return null;
    }

    private static SipApplicationRouterInfo info(
            DarEntry entry, SipServletRequest request, int place) {
        List<String> routes = entry.routes();
        return new SipApplicationRouterInfo(
                entry.application().isEmpty() ? null : entry.application(),
                entry.region(),
                DarSubscriber.of(entry.subscriber(), request),
                routes == null ? null : routes.toArray(new String[0]),
                entry.modifier(),
                place);
    }

    private static SipApplicationRouterInfo plain(String application, int place) {
        return new SipApplicationRouterInfo(
                application,
                SipApplicationRoutingRegion.NEUTRAL_REGION,
                "",
                null,
                SipRouteModifier.NO_ROUTE,
                place);
    }

    boolean isDeployed(String application) {
        List<Deployed> all = deployed;
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).name().equals(application)) {
                return true;
            }
        }
        return false;
    }

    private int numberOf(String application) {
        List<Deployed> all = deployed;
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).name().equals(application)) {
                return all.get(i).number();
            }
        }
        return 0;
    }

    /**
     * The application which sent the request, or null when it came from the network: such a request
     * has no session yet.
     */
    private static @Nullable String sender(SipServletRequest request) {
        SipSession session = request.getSession(false);
        if (session == null) {
            return null;
        }
        SipApplicationSession application = session.getApplicationSession();
        return application == null ? null : application.getApplicationName();
    }
}
