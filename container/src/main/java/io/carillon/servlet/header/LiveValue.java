package io.carillon.servlet.header;

import io.carillon.servlet.bytes.ByReference;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A value handed to applications: it knows what may change and tells its owner before it does.
 * Owner: the turn of the application session, or the application alone while no message owns the
 * value. Not thread safe.
 */
abstract class LiveValue implements Owner, ByReference {
    private final Rights rights;
    private final @Nullable Owner owner;

    LiveValue(Rights rights, @Nullable Owner owner) {
        this.rights = rights;
        this.owner = owner;
    }

    final Rights rights() {
        return rights;
    }

    /**
     * Passes the news on to whoever holds this value; parts of this value call it as their owner.
     */
    @Override
    public final void beforeChange() {
        if (owner != null) {
            owner.beforeChange();
        }
    }

    final void changingWhole() {
        rights.checkWhole();
        beforeChange();
    }

    final void changingUser() {
        rights.checkUser();
        beforeChange();
    }

    final void changingParameter(String name) {
        rights.checkParameter(name);
        beforeChange();
    }

    final void changingUriParameter(String name) {
        rights.checkUriParameter(name);
        beforeChange();
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw ByReference.refused(this);
    }
}
