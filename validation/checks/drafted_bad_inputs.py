import subprocess, pathlib, json, sys, os
B=os.environ.get("FT","./build/bin/ftlab")
SRC=pathlib.Path("."); G="configs/bad/given"
g=SRC/G; g.mkdir(exist_ok=True)
def put(name,text): 
    p=g/name; p.parent.mkdir(parents=True,exist_ok=True); p.write_text(text); return f"{G}/{name}"
def S(k,v,base="example-small-and-slow"): return ["drives","show",base,"--set",f"{k}={v}"]
def SS(base,*kv):
    w=["drives","show",base]
    for x in kv: w+=["--set",x]
    return w
good=put("good.fio","[write]\nrw=randwrite\nbs=4k\nsize=64k\nioengine=libaio\ndirect=1\n")
big=put("two-waves.fio","[global]\nioengine=libaio\ndirect=1\nbs=4k\ntime_based\nruntime=10\nfilename=/dev/sdb\n[a]\nrw=randwrite\n[b]\nstonewall\nrw=randwrite\n")
R=lambda *w:["run",*w]
SM="example-small-and-slow"
cases={}
def c(name,words): cases[name]=words
c("compression-no-divisor",SS(SM,"ftl.mapping.page_bytes=12288","geometry.page_bytes=12288","geometry.codeword_bytes=1024",'ftl.compression={"slot_bytes": 1536, "header_bytes": 8, "efficiency_permille": 1000}',"ftl.write_buffer.bytes=122880"))
c("slc-one-bit",SS(SM,'ftl.slc_cache={"superblocks": 4, "when_full": "direct"}'))
c("fast-mode-one-bit",SS(SM,'ftl.fast_mode={"until_mapped_permille": 500}'))
c("page-order-one-bit",SS(SM,"nand.page_order=even-odd"))
c("wear-of-nothing",SS(SM,'nand.wear={"until_erases": 10}'))
c("pools-superblocks",SS(SM,'ftl.placement={"scheme": "pools", "pools": [{"logical_pages": 6400, "superblocks": 20}, {"logical_pages": 6400, "superblocks": 20}]}',"ftl.frontiers=one"))
c("pools-pages",SS(SM,'ftl.placement={"scheme": "pools", "pools": [{"logical_pages": 6400, "superblocks": 32}, {"logical_pages": 6401, "superblocks": 32}]}',"ftl.frontiers=one"))
c("pools-one",SS(SM,'ftl.placement={"scheme": "pools", "pools": [{"logical_pages": 12800, "superblocks": 64}]}',"ftl.frontiers=one"))
c("compression-copyback",SS(SM,'ftl.compression={"slot_bytes": 512, "header_bytes": 8, "efficiency_permille": 1000}',"ftl.gc.copyback=true"))
c("compression-buffer",SS(SM,'ftl.compression={"slot_bytes": 512, "header_bytes": 8, "efficiency_permille": 1000}',"ftl.write_buffer.bytes=512"))
c("compression-buffer-slots",SS(SM,'ftl.compression={"slot_bytes": 512, "header_bytes": 8, "efficiency_permille": 1000}',"ftl.write_buffer.bytes=65537"))
c("compression-large-page",SS(SM,'ftl.compression={"slot_bytes": 512, "header_bytes": 8, "efficiency_permille": 1000}',"ftl.mapping.page_bytes=16384"))
c("hybrid-placement",SS(SM,'ftl.mapping={"scheme": "bast", "page_bytes": 4096, "log_superblocks": 4}','ftl.placement={"scheme": "streams", "streams": 2}'))
c("hybrid-parity",SS(SM,'ftl.mapping={"scheme": "bast", "page_bytes": 4096, "log_superblocks": 4}','ftl.superblock={"dies": 2, "planes": 1, "parity": true}'))
c("hybrid-wear",SS(SM,'ftl.mapping={"scheme": "bast", "page_bytes": 4096, "log_superblocks": 4}','ftl.wear={"static_spread_erases": 3, "check_every_erases": 5}'))
c("fast-mode-hybrid",SS("kingston-ssdnow-v-64",'ftl.mapping={"scheme": "bast", "page_bytes": 4096, "log_superblocks": 4}','ftl.fast_mode={"until_mapped_permille": 500}'))
c("slc-pools",SS("samsung-830-256",'ftl.slc_cache={"superblocks": 4, "when_full": "direct"}',"nand.program_slc_ns=200000",'ftl.placement={"scheme": "pools", "pools": [{"logical_pages": 6400, "superblocks": 32}, {"logical_pages": 6401, "superblocks": 32}]}'))
c("demand-pools",SS(SM,'ftl.mapping={"scheme": "demand", "page_bytes": 4096, "ram_bytes": 16384, "cache_unit": "page", "eviction": "lru"}','ftl.placement={"scheme": "pools", "pools": [{"logical_pages": 6400, "superblocks": 32}, {"logical_pages": 6400, "superblocks": 32}]}',"ftl.frontiers=one"))
c("extent-pools",SS(SM,'ftl.mapping={"scheme": "extent", "page_bytes": 4096, "ram_bytes": 65536, "entry_bytes": 8, "region_pages": 128, "start_permille": 800, "pages_per_host_write": 4}','ftl.placement={"scheme": "pools", "pools": [{"logical_pages": 6400, "superblocks": 32}, {"logical_pages": 6400, "superblocks": 32}]}',"ftl.frontiers=one"))
c("extent-ram",SS(SM,'ftl.mapping={"scheme": "extent", "page_bytes": 4096, "ram_bytes": 512, "entry_bytes": 8, "region_pages": 128, "start_permille": 800, "pages_per_host_write": 4}'))
c("trim-stops-the-world",SS(SM,"ftl.gc.pages_per_host_write=0"))
c("disk-link-queue",SS("wd-scorpio-blue","link.queue_depth=4"))
c("disk-cylinders",SS("wd-scorpio-blue",'geometry.zones=[{"cylinders": 4000000, "sectors_per_track": 1000}, {"cylinders": 4000000, "sectors_per_track": 900}, {"cylinders": 4000000, "sectors_per_track": 800}, {"cylinders": 4000000, "sectors_per_track": 700}, {"cylinders": 4000000, "sectors_per_track": 700}]'))
retry='[' + ', '.join('{"errors_permille": %d, "correctable_bits": 41, "array_reads": 1, "overhead_ns": 1000}'%(900-i) for i in range(33)) + ']'
c("retry-steps",SS("example-25nm-mlc",f'cells.retry={retry}'))
# job
c("variable-long",["check",put("variable-long.fio","[a]\nioengine=libaio\ndirect=1\nrw=read\ndescription="+"${PATH}"*3000+"\n")])
c("pagesize-product",["check",put("pagesize-product.fio","[a]\nioengine=libaio\ndirect=1\nrw=read\nbs=99999999999999999*$pagesize\n")])
c("log-leaves-folder",["check",put("log-leaves-folder.fio","[a]\nioengine=libaio\ndirect=1\nrw=read\nfilename=/dev/sdb\nwrite_bw_log=../../x\n")])
c("log-absolute",R(put("log-absolute.fio","[a]\nioengine=libaio\ndirect=1\nrw=read\nfilename=/dev/sdb\nwrite_iops_log=/tmp/x\n"),"--drive",SM,"--out","OUT"))
c("log-of-job-name",["check",put("log-of-job-name.fio","[../a]\nioengine=libaio\ndirect=1\nrw=read\nfilename=/dev/sdb\nwrite_lat_log\n")])
c("log-hist-filled",["check",put("log-hist-filled.fio","[a/b]\nioengine=libaio\ndirect=1\nrw=read\nfilename=/dev/sdb\nlog_hist_msec=1000\nwrite_hist_log=x$jobname\n")])
c("log-too-long",["check",put("log-too-long.fio","[a]\nioengine=libaio\ndirect=1\nrw=read\nfilename=/dev/sdb\nwrite_bw_log="+"x"*201+"\n")])
c("options-too-long",["check",put("options-too-long.fio","[a]\nioengine=libaio\ndirect=1\nrw=read\nfilename=/dev/sdb\nnumjobs=4096\n"+("description="+"x"*4000+"\n")*8)])
# commands
good2=["--drive",SM,"--out","OUT"]
c("steady-untimed",R(big,*good2,"--until-steady","2","--untimed"))
c("steady-trace",R(put("one.trace","128166372003061629,hm,0,Write,8192,4096,151\n"),*good2,"--until-steady","2"))
c("steady-waves",R(big,*good2,"--until-steady","2"))
c("save-of-disk",R(good,"--drive","wd-scorpio-blue","--out","OUT","--save","OUT.state"))
c("procedure-untimed",R("configs/jobs/kingston/new-state.json",*good2,"--untimed"))
c("procedure-steady",R("configs/jobs/kingston/new-state.json",*good2,"--until-steady","2"))
c("run-without-drive",R(good,"--out","OUT"))
c("variable-of-job",R(good,*good2,"--variable","a=1"))
c("trace-option-of-job",R(good,*good2,"--trace-address","modulo"))
c("set-job-of-trace",R(put("one.trace","128166372003061629,hm,0,Write,8192,4096,151\n"),*good2,"--set-job","bs=4k"))
c("trace-untimed",R(f"{G}/one.trace",*good2,"--untimed"))
c("trace-speed-closed",R(f"{G}/one.trace",*good2,"--closed-loop","4","--trace-speed","200"))
c("check-option-of-job",["check",good,"--trace-order","sort"])
c("check-json-of-job",["check",good,"--json"])
c("out-is-file",R(good,"--drive",SM,"--out",good))
c("out-empty",R(good,"--drive",SM,"--out",""))
c("out-full",R(good,"--drive",SM,"--out","configs/jobs"))
c("save-over-file",R(good,*good2,"--save",good))
c("load-missing",R(good,"--load","configs/bad/given/none.state","--out","OUT"))
c("content-folder",["content","configs"])
c("content-empty",["content",put("empty","")])
c("smart-nothing",["smart","configs/jobs"])
h={"ftlab":{"seed":1,"drive":{"name":"d"}}}
put("no-health/result.json",json.dumps({"jobs":[]})+"\n"); c("smart-no-health",["smart",f"{G}/no-health"])
put("cut/result.json",'{"jobs": [\n'); c("smart-cut",["smart",f"{G}/cut"])
put("nameless/result.json",json.dumps({"ftlab":{"health":{}}})+"\n"); c("smart-nameless",["smart",f"{G}/nameless"])
put("health-text/result.json",json.dumps({"ftlab":{"health":{"user_bytes":"many"},"seed":1,"drive":{"name":"d"}}})+"\n"); c("smart-health-text",["smart",f"{G}/health-text"])
put("health-part/result.json",json.dumps({"ftlab":{"health":{"user_bytes":1},"seed":1,"drive":{"name":"d"}}})+"\n"); c("smart-health-part",["smart",f"{G}/health-part"])
A=lambda **k: json.dumps({"name":"t","attributes":[dict({"id":1,"name":"n","flags":0,"raw":"user_bytes"},**k)]},indent=1)+"\n"
c("smart-table-raw",["check",put("smart-raw.json",A(raw="user_bites"))])
c("smart-table-two-values",["check",put("smart-two-values.json",A(fixed=100,value="life-left"))])
c("smart-table-format",["check",put("smart-format.json",A(format="hours-and-milliseconds"))])
c("smart-table-unknown",["smart",f"{G}/health-text","--table","intell"])
# wa
for n,w in {"precision":["--precision","2"],"seed":["--seed","-1"],"op-empty":["--op",""],"workload-parts":["--workload","hot-cold:0.8"],"frontiers-parts":["--frontiers","pools"],"frontiers-cold":["--frontiers","hot+cold"],"trim-parts":["--trim","0.1:any:x"],"compression-parts":["--compression","1:2"]}.items(): c("wa-"+n,["wa","--policy","greedy",*w])
# compare
fig=lambda **k: json.dumps(dict({"what":"d","source":"s"},**k))+"\n"
pt=lambda **k: dict({"rw":"randread","direction":"read","bs":"4k","iodepth":1,"numjobs":1,"iops":100},**k)
a=put("figures-a.json",fig(points=[pt()])); b=put("figures-b.json",fig(points=[pt(iodepth=2)])); m=put("figures-minutes.json",fig(minute=[0,1,2],read_iops_mean=[1,2]))
c("compare-nothing-common",["compare",a,b])
c("compare-no-quantity",["compare",a,a,"--quantity","mean"])
c("compare-minutes",["compare",m,a])
c("compare-grid",["compare",a,a,"--grid","0"])
c("compare-series-columns",["compare",put("columns/series.csv","t_s,length_s,read_iops\n1,1\n"),a])
c("compare-log-columns",["compare",put("logs/x_bw.1.log","1, 2\n"),a])
c("compare-log-direction",["compare",put("logs-b/x_bw.1.log","1, 2, 7, 4096\n"),a])
c("compare-log-bins",["compare",put("logs-c/x_clat_hist.1.log","1, 0, 4096, 5, 6\n"),a])
c("compare-log-falls",["compare",put("logs-d/x_bw.1.log","1000, 2, 0, 0\n900, 2, 0, 0\n"),a])
job=lambda **k: dict({"jobname":"a","groupid":0,"error":0,"job options":{"name":"a","rw":"read"},"read":{"io_bytes":4096,"bw_bytes":4096,"iops":1,"runtime":1000,"total_ios":1,"clat_ns":{"mean":5,"N":1}},"write":{"io_bytes":0,"bw_bytes":0,"iops":0,"runtime":0,"total_ios":0}},**k)
fio=lambda jobs: json.dumps({"fio version":"fio-3.33","global options":{},"jobs":jobs},indent=1)+"\n"
j2=job(); j2["job options"]={"name":"a","rw":"read","numjobs":"3"}
c("compare-clones",["compare",put("clones.json",fio([j2,j2])),a])
mx=job(); mx["mixed"]=mx.pop("read")
c("compare-mixed",["compare",put("mixed.json",fio([mx])),a])
# scoreboard
def board(name,**k):
    row={"fact":"f-1","drive":"D","kind":"quantity","says":"x","is":1,"unit":"u","of":"drive example-small-and-slow / user_GiB","confidence":"high","fit":False}
    doc={"review":"r","runs":k.pop("runs",{"quick-run":{"quick":True,"drives":["example-small-and-slow"],"steps":[{"step":"job","name":"w","keep":False,"lines":["rw=randwrite","bs=4k","size=64k"]}],"assumed":"x"}}),"rows":[]}
    r=dict(row,**k.pop("row",{}))
    for d in k.pop("drop",[]): r.pop(d)
    doc["rows"]=[r]
    put(f"board-{name}/review.json",json.dumps(doc,indent=1)+"\n")
    put(f"board-{name}/facts.json",json.dumps(k.pop("facts",{"review":[{"id":"f-1"}]}))+"\n")
    c("board-"+name,["validate","--board",f"{G}/board-{name}",*k.pop("words",[])])
W="quick-run@example-small-and-slow"
board("second-claim",row={"above":3})
board("between",row={"between":[1]},drop=["is"])
board("falls",row={"falls":[["drive example-small-and-slow / user_GiB"]]},drop=["is","of"])
board("no-steps",runs={"a":{"drives":["example-small-and-slow"],"assumed":"x"}})
board("fact-unknown",facts={"review":[{"id":"f-2"}]})
board("fact-none",facts={"review":["f-1"]})
board("fact-left",facts={"review":[{"id":"f-1"},{"id":"f-2"}]})
board("smart-words",row={"of":f"{W} / smart"})
board("word",row={"of":f"{W} / w depth / iops"})
board("two-variables",row={"of":f"{W} / w a=* b=* / iops"})
board("no-run",row={"of":"quick-run / w / iops"})
board("too-few",row={"of":{"ratio":[f"{W} / w / iops"]}})
board("no-step",row={"of":f"{W} / r / iops"})
board("figure",row={"of":f"{W} / w / iopses"})
board("kept",row={"of":f"{W} / w / sample_KiB_per_s_min"})
board("smart-id",row={"of":f"{W} / smart 300"})
board("drive-figure",row={"of":"drive example-small-and-slow / rpm"})
board("choice-review",words=["--review","revue"])
board("choice-drive",words=["--drive","example-25nm-mlc"])
board("curve",row={"of":f"{W} / w bs=* / iops"})
rep={"quick-run":{"quick":True,"drives":["example-small-and-slow"],"variables":[],"procedure_variables":{"depth":[1,2],"other":[4,8]},"steps":[{"step":"repeat","over":["depth"],"steps":[{"step":"job","name":"w","keep":False,"lines":["rw=randwrite","bs=4k","size=64k","iodepth=${depth}"]}]},{"step":"repeat","over":["other"],"steps":[{"step":"job","name":"v","keep":False,"lines":["rw=randwrite","bs=4k","size=64k","iodepth=${other}"]}]}],"assumed":"x"}}
board("needs-number",runs=rep,row={"of":f"{W} / w depth=* / iops"})
board("number-and-curve",runs=rep,row={"above":0,"of":{"ratio":["drive example-small-and-slow / user_GiB",f"{W} / w depth=* / iops"]}},drop=["is"])
board("other-values",runs=rep,row={"above":0,"of":{"ratio":[f"{W} / w depth=* / iops",f"{W} / v other=* / iops"]}},drop=["is"])
board("not-as-many",runs=rep,row={"falls":[[f"{W} / w depth=* / iops"],[f"{W} / v other=4 / iops"]]},drop=["is","of"])
put("board-none/x.txt","x\n"); c("board-none",["validate","--board",f"{G}/board-none"])
# calibrate
c("calibrate-rows-none",["calibrate","--drive","example-small-and-slow","--board",f"{G}/board-none","--fit","nand.read_ns","--out","OUT.json"])
deep=put("figures-deep.json",fig(points=[pt(iodepth=60000,numjobs=2)]))
c("calibrate-deep",["calibrate","--drive",SM,"--measured",deep,"--fit","nand.read_ns","--out","OUT.json"])
c("scale-missing",["run",good,*good2]) if False else None
if __name__=="__main__":
    only=sys.argv[1:]
    for n,w in cases.items():
        if only and not any(o in n for o in only): continue
        w2=[x.replace("OUT","/tmp/fz/out/x") for x in w]
        os.makedirs("/tmp/fz/out",exist_ok=True)
        r=subprocess.run([B,*w2],cwd=SRC,capture_output=True,text=True)
        flag="" if r.returncode==2 and not r.stdout else f"  <<<<<< {r.returncode} {r.stdout[:80]!r}"
        print(f"{n}: {r.stderr.strip()[:330]}{flag}")
