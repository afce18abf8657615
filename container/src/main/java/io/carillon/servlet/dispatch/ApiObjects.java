package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.feature.proxy.ProxyObjects;
import io.carillon.servlet.kernel.SessionLookup;
import io.carillon.servlet.kernel.SessionObjects;
import java.util.ServiceLoader;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;

/**
 * Makes the objects of the API that applications hold. A bridge for applications of another server
 * makes subclasses that implement that server's interfaces too, so that a cast in an application
 * succeeds; without one, everything is as it stands here.
 *
 * <p>Stateless; any thread.
 */
public interface ApiObjects extends SessionObjects, ProxyObjects {
    /** What the API says and no more. */
    ApiObjects PLAIN = new ApiObjects() {};

    /** The bridge on the class path, or none. More than one cannot be: an object has one class. */
    static ApiObjects installed() {
        return ServiceLoader.load(ApiObjects.class, ApiObjects.class.getClassLoader())
                .findFirst()
                .orElse(PLAIN);
    }

    /** The server that the bridge stands for, as messages call it; empty without one. */
    default String bridges() {
        return "";
    }

    /**
     * Does an application get this class from the server, whatever its archive holds? Of the API
     * itself that goes without saying.
     */
    default boolean shares(String className) {
        return false;
    }

    /** Before the application's instances are made: the place for attributes of its context. */
    default void starting(Application application) {}

    /** The application's factory. */
    default SipFactory factory(SipRequests plain, Application application) {
        return plain;
    }

    /** The application's way to its sessions. */
    default SipSessionsUtil sessionsUtil(SessionLookup plain, Application application) {
        return plain;
    }
}
