package io.carillon.grid.link;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.Header;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/** Of a message that holds another one: whom that is for, and that its sender does not hear him. */
public final class WayRoundHeader extends Header {
    static final short MAGIC = 2_602;

    private @Nullable Address to;
    private boolean deaf;

    /** To be read. */
    public WayRoundHeader() {}

    WayRoundHeader(Address to, boolean deaf) {
        this.to = to;
        this.deaf = deaf;
    }

    boolean deaf() {
        return deaf;
    }

    @Nullable Address to() {
        return to;
    }

    @Override
    public short getMagicId() {
        return MAGIC;
    }

    @Override
    public Supplier<? extends Header> create() {
        return WayRoundHeader::new;
    }

    @Override
    public int serializedSize() {
        return Util.size(to) + 1;
    }

    @Override
    public void writeTo(DataOutput out) throws IOException {
        Util.writeAddress(to, out);
        out.writeBoolean(deaf);
    }

    @Override
    public void readFrom(DataInput in) throws IOException, ClassNotFoundException {
        to = Util.readAddress(in);
        deaf = in.readBoolean();
    }
}
