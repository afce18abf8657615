package io.carillon.servlet.feature.http;

import io.carillon.servlet.app.DeploymentException;
import java.nio.file.Path;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/** What an application tells the web side of itself. Any thread. */
public interface WebPart {
    /** The application's name; its path is this unless the configuration says otherwise. */
    String name();

    /** What messages call its archive. */
    String archive();

    /** The unpacked archive. */
    Path root();

    /** The class loader of both halves. */
    ClassLoader classLoader();

    /**
     * Attributes, init parameters and named dispatchers of the SIP half, which the one context has
     * to show.
     */
    ServletContext shared();

    /**
     * A request comes in: this version is not destroyed before it is completed.
     *
     * @return false when it is destroyed already
     */
    boolean enter();

    /** A request that came in is completed. */
    void leave();

    /** The application sessions that HTTP sessions may belong to. */
    WebSessions sessions();

    /**
     * The instance of that class which the SIP half has made already, or null: a class that is
     * listener here and there has one instance (SIP Servlet 1.1, 14.2). The web side calls this
     * when it is about to make a listener or servlet, and from then on it is the web side that
     * tells this instance of the servlet context.
     */
    @Nullable Object takeInstance(Class<?> type);

    /**
     * Whether it is an instance of the SIP half, which injects it and calls what is annotated
     * {@code @PostConstruct} and {@code @PreDestroy}.
     */
    boolean isTaken(Object instance);

    /**
     * Fills what is annotated {@code @Resource}.
     *
     * @throws DeploymentException naming the field, when there is no such resource
     */
    void inject(Object instance) throws DeploymentException;
}
